// Memory for OpenClaw: the index of memory is one of the files an agent starts with, and ended sessions are captured.
// Written by `brain install openclaw`, removed by `brain uninstall openclaw`. It only starts the program named below.
import { spawn } from "node:child_process"

const COMMAND = "{{command}}"
const MEMORY = "{{memory}}"
const KEPT = 200 // sessions whose text is kept, so that a prompt stays the same all session long
const texts = new Map()

function brain(event, told) {
  return new Promise((resolve) => {
    let out = ""
    try {
      const words = [...COMMAND.slice(1), "hook", event, "--host", "openclaw", "--memory", MEMORY]
      const child = spawn(COMMAND[0], words, { stdio: ["pipe", "pipe", "ignore"], windowsHide: true })
      const timer = setTimeout(() => child.kill(), 10_000)
      child.stdout.on("data", (data) => (out += data))
      child.stdin.on("error", () => {})
      child.on("error", () => resolve(""))
      child.on("close", (code) => {
        clearTimeout(timer)
        resolve(code === 0 ? out.trim() : "")
      })
      child.stdin.end(JSON.stringify(told))
    } catch {
      resolve("")
    }
  })
}

// The text for a session, asked for once. No session id is told: the text is in no history, so it is always wanted.
function index(key, cwd) {
  if (!texts.has(key)) {
    if (texts.size >= KEPT) texts.delete(texts.keys().next().value)
    texts.set(key, brain("session-start", { cwd, source: "startup" }))
  }
  return texts.get(key)
}

export default async function handler(event) {
  const about = event?.context ?? {}
  const named = `${event?.type}:${event?.action}`
  if (named === "agent:bootstrap") {
    const text = await index(about.sessionId ?? event.sessionKey ?? "", about.workspaceDir)
    if (!text || !Array.isArray(about.bootstrapFiles)) return
    const path = `${MEMORY}/knowledge/index.md`
    about.bootstrapFiles = [...about.bootstrapFiles, { name: "BRAIN.md", path, content: text, missing: false }]
  } else if (named === "command:new" || named === "command:reset" || named.startsWith("session:compact:before")) {
    const entry = about.previousSessionEntry ?? about.sessionEntry ?? {}
    const told = {
      session_id: entry.sessionId ?? about.sessionId,
      transcript_path: entry.sessionFile ?? null,
      cwd: about.workspaceDir,
    }
    void brain(named.startsWith("command:") ? "session-end" : "pre-compact", told)
  }
}
