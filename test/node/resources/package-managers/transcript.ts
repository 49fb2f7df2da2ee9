import type { CommandResult, Commands } from '../../../../src/machine/system/system.ts'

/** A command line with its status, its output, and its standard output if that is not all of its output. */
export type Exchange = readonly [command: string, status: number, output: string, stdout?: string]

/** The programs that were found, and the commands that were run, in order. */
export interface Transcript {
  readonly found: Readonly<Record<string, string | null>>
  readonly exchanges: readonly Exchange[]
}

/** Commands that write what they do into a transcript. */
export function recordCommands(commands: Commands): { readonly commands: Commands; readonly transcript: Transcript } {
  const found: Record<string, string | null> = {}
  const exchanges: Exchange[] = []
  return {
    transcript: { found, exchanges },
    commands: {
      async find(name) {
        const path = await commands.find(name)
        found[name] = path ?? null
        return path
      },
      async run(command, options) {
        const result = await commands.run(command, options)
        const [output, stdout] = [withoutTimes(result.output), withoutTimes(result.stdout)]
        const line = command.join(' ')
        const [all, own] = [output.trim(), stdout.trim()]
        exchanges.push(own === all ? [line, result.status, all] : [line, result.status, all, own])
        return { ...result, output, stdout }
      },
    },
  }
}

/** Output, also as JSON, without the age of dnf's cache. */
export function withoutTimes(text: string): string {
  return text.replaceAll(/Last metadata expiration check: [^\n"\\]*(?:\n|\\n)/g, '')
}

/** Commands that answer as a transcript has it. A command that is not in the transcript, or not so often, is an error. */
export function replayCommands({ found, exchanges }: Transcript): { readonly commands: Commands; rest(): string[] } {
  const left = [...exchanges]
  return {
    rest: () => left.map(([command]) => command),
    commands: {
      async find(name) {
        if (!(name in found)) throw new Error(`The transcript does not look for the program ${name}`)
        return found[name] ?? undefined
      },
      async run(command): Promise<CommandResult> {
        const line = command.join(' ')
        const at = left.findIndex(([known]) => known === line)
        if (at < 0) throw new Error(`The transcript does not run ${line}`)
        const [, status, output, stdout = output] = left.splice(at, 1)[0]!
        return { status, output, stdout, stderr: '', timedOut: false }
      },
    },
  }
}
