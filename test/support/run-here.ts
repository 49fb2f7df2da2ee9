import { PassThrough } from 'node:stream'
import { run } from '../../src/cli/program.ts'

/** What a command line answered. */
export interface Answer {
  readonly status: number
  readonly out: string
  readonly err: string
}

/** Runs a command line in this process, with a text as its standard input and without colour. */
export async function runHere(words: readonly string[], input = ''): Promise<Answer> {
  const out: string[] = []
  const err: string[] = []
  const stdin = new PassThrough()
  stdin.end(input)
  const status = await run(words, {
    stdin,
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
    color: false,
  })
  return { status, out: out.join(''), err: err.join('') }
}
