import { PassThrough } from 'node:stream'
import { runCommandLine } from '../../src/cli/program.ts'
import { selectRuby } from './native-ruby.ts'

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
  const status = await runCommandLine(selectRuby(words), {
    stdin,
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
    color: false,
  })
  return { status, out: out.join(''), err: err.join('') }
}

/** What `plumb` of `plumb.ts` answers of a process of its own. */
export interface Ended {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command line in this process and answers as of a process: without the last line end. */
export async function plumbHere(words: readonly string[], { input = '' } = {}): Promise<Ended> {
  const { status, out, err } = await runHere(words, input)
  return { exitCode: status, stdout: out.replace(/\n$/, ''), stderr: err.replace(/\n$/, '') }
}
