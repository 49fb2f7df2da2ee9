import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { afterAll, expect } from 'vitest'
import { scratchFolders } from './scratch-folder.ts'

/**
 * Answers of a real program to questions, both JSON, by title. They are in `recorded/NAME.json` beside `NAME.test.ts`.
 * A scratch folder of the suite is `$SCRATCH1`, `$SCRATCH2`, … there, in the order in which they were made.
 */
export interface RecordedAnswers {
  /** The answers; `ask` is called, for all questions at once, only where the program is asked. */
  all<Answer>(
    questions: Readonly<Record<string, unknown>>,
    ask: () => Readonly<Record<string, Answer>>,
  ): Readonly<Record<string, Answer>>
  /** The answer to a single question. */
  one<Answer>(title: string, question: unknown, ask: () => Answer): Answer
}

interface Recording {
  readonly program: string
  /** For each title, a digest of the question, and the answer. */
  readonly answers: Readonly<Record<string, readonly [digest: string, answer: unknown]>>
}

/** True where the suite asks the real program: to record its answers, or to compare them with the recorded ones. */
export const asksProgram: boolean = process.env['UPDATE'] === '1' || process.env['TEST_KIND'] === 'oracle'

/**
 * The recorded answers of a suite. `npm test` reads them; `UPDATE=1` asks the program and records what it says;
 * `npm run test:oracle` asks again and fails if an answer is another one.
 *
 * @param suite the path of the test file
 * @param program the program and its version, such as `Puppet 7.23.0`
 */
export function recordedAnswers(suite: string, program: string): RecordedAnswers {
  const file = recordingOf(suite)
  const before: Recording = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as Recording)
    : { program, answers: {} }
  const asked: Record<string, readonly [string, unknown]> = {}
  const isUpdate = process.env['UPDATE'] === '1'
  if (isUpdate) afterAll(() => write(file, { program, answers: asked }))

  const answers: RecordedAnswers['all'] = (questions, ask) => {
    const digests = Object.entries(questions).map(([title, question]) => [title, digestOf(question)] as const)
    if (!asksProgram)
      return Object.fromEntries(
        digests.map(([title, digest]) => [title, recorded(suite, before, title, digest)]),
      ) as never
    const answered = ask()
    for (const [title, digest] of digests) asked[title] = [digest, generalized(answered[title])]
    if (!isUpdate)
      for (const [title] of digests)
        expect(asked[title], `${title}: the recorded answer`).toEqual(before.answers[title])
    return answered
  }
  return {
    all: answers,
    one: (title, question, ask) => answers({ [title]: question }, () => ({ [title]: ask() }))[title]!,
  }
}

/** The file with the recorded answers of a suite. */
export function recordingOf(suite: string): string {
  const name = basename(suite).replace(/(?:\.(?:e2e|oracle))?\.test\.ts$/, '')
  return join(dirname(suite), 'recorded', `${name}.json`)
}

function recorded(suite: string, { answers }: Recording, title: string, digest: string): unknown {
  const path = relative(resolve(import.meta.dirname, '../..'), suite)
  const found = answers[title]
  const record = `UPDATE=1 npx vitest run ${path} records it`
  if (found === undefined) throw new Error(`No answer is recorded for '${title}'. ${record}.`)
  if (found[0] !== digest) throw new Error(`The answer to '${title}' was recorded for another question. ${record}.`)
  return particular(found[1])
}

function digestOf(question: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(generalized(question)))
    .digest('base64url')
    .slice(0, 12)
}

/** A value with names for the scratch folders. */
function generalized(value: unknown): unknown {
  const replaced = scratchFolders().reduce(
    (text, folder, index) => text.replaceAll(folder, `$SCRATCH${index + 1}`),
    JSON.stringify(value ?? null),
  )
  return JSON.parse(replaced) as unknown
}

/** A value with the scratch folders of this run. */
function particular(value: unknown): unknown {
  const text = JSON.stringify(value).replaceAll(
    /\$SCRATCH(\d+)/g,
    (name, at) => scratchFolders()[Number(at) - 1] ?? name,
  )
  return JSON.parse(text) as unknown
}

/** One answer a line. */
function write(file: string, { program, answers }: Recording): void {
  const lines = Object.entries(answers).map(([title, answer]) => `${JSON.stringify(title)}: ${JSON.stringify(answer)}`)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `{\n"program": ${JSON.stringify(program)},\n"answers": {\n${lines.join(',\n')}\n}\n}\n`)
}
