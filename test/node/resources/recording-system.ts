import { Readable } from 'node:stream'
import type { CommandResult, Files, System } from '../../../src/machine/system/system.ts'

/** A system whose files are a table and whose programs only answer; it remembers what was asked of it. */
export interface RecordingSystem extends System {
  readonly commandsRun: string[]
}

/** Answers by the start of a command line; any other command succeeds and says nothing. */
export function recordingSystem(
  texts: Readonly<Record<string, string>>,
  answers: Readonly<Record<string, Partial<CommandResult>>> = {},
): RecordingSystem {
  const commandsRun: string[] = []
  const silent: CommandResult = { status: 0, stdout: '', stderr: '', output: '', timedOut: false }
  const nothing = async () => undefined
  const never = async () => {
    throw new Error('nothing is written here')
  }
  const files: Files = {
    stat: async (path) =>
      path in texts
        ? { kind: 'file', mode: 0o755, uid: 0, gid: 0, size: texts[path]!.length, accessed: 0, modified: 0, changed: 0 }
        : undefined,
    readLink: nothing,
    read: async (path) => (path in texts ? Buffer.from(texts[path]!) : undefined),
    readText: async (path) => texts[path],
    readParts: async (path) => (path in texts ? Readable.from([Buffer.from(texts[path]!)]) : undefined),
    readWithin: async (path) => (path in texts ? Buffer.from(texts[path]!) : undefined),
    list: nothing,
    write: never,
    replace: never,
    sync: never,
    makeDirectory: never,
    link: never,
    remove: never,
    rename: never,
    chmod: never,
    chown: never,
  }
  return {
    commandsRun,
    files,
    commands: {
      find: async (name) => `/usr/bin/${name}`,
      async run(words, options) {
        const line = words.join(' ')
        commandsRun.push(options?.input === undefined ? line : `${line} < ${String(options.input).trim()}`)
        const known = Object.keys(answers).find((start) => line.startsWith(start))
        return { ...silent, ...(known === undefined ? {} : answers[known]) }
      },
    },
    now: () => 0,
  }
}
