"""Daily replay: questions a user really asked, put to matched states of the brain, wiki on and off."""

FOLDER = ".brain/replay"
