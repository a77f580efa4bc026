// Memory for opencode: the index of memory stands in the system prompt, and each finished turn is captured.
// Written by `brain install opencode`, removed by `brain uninstall opencode`. It only starts the program named below.
import { spawn } from "node:child_process"

const COMMAND = "{{command}}"
const MEMORY = "{{memory}}"
const KEPT = 200 // sessions whose text is kept, so that a system prompt stays the same all session long
const texts = new Map()

function brain(event, told) {
  return new Promise((resolve) => {
    let out = ""
    try {
      const words = [...COMMAND.slice(1), "hook", event, "--host", "opencode", "--memory", MEMORY]
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
function index(session, cwd) {
  const key = session ?? ""
  if (!texts.has(key)) {
    if (texts.size >= KEPT) texts.delete(texts.keys().next().value)
    texts.set(key, brain("session-start", { cwd, source: "startup" }))
  }
  return texts.get(key)
}

function finished(event) {
  const told = event?.properties ?? event?.data ?? {}
  const type = event?.type ?? ""
  const idle = type === "session.idle" || (type === "session.status" && told.status?.type === "idle")
  if (!idle && !/^session\.execution\.(succeeded|failed|interrupted|settled)$/.test(type)) return undefined
  return { session: told.sessionID }
}

// Version 1 calls `server` and uses the hooks it returns.
async function server({ directory }) {
  return {
    "experimental.chat.system.transform": async (input, output) => {
      const text = await index(input?.sessionID, directory)
      if (text) output.system.push(text)
    },
    event: async ({ event }) => {
      const end = finished(event)
      if (end) void brain("turn-end", { session_id: end.session, cwd: directory })
    },
  }
}

// Version 2 calls `setup` and gives a context to register with.
async function setup(ctx) {
  const directory = ctx.location?.directory
  await ctx.session.hook("context", async (event) => {
    const text = await index(event.sessionID, directory)
    if (text) event.system.push({ type: "text", text })
  })
  const ending = new AbortController()
  void (async () => {
    try {
      for await (const event of ctx.event.subscribe({ signal: ending.signal })) {
        const end = finished(event)
        if (end) void brain("turn-end", { session_id: end.session, cwd: directory })
      }
    } catch {}
  })()
  return () => ending.abort()
}

export default { id: "brain", server, setup }
