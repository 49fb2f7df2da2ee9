import { describe, expect, it } from 'vitest'
import { PuppetError } from '../../../src/base/issue.ts'
import { formatExactJson, parseJson } from '../../../src/base/json/json-text.ts'
import type { StoreCommand } from '../../../src/store/commands/command.ts'
import { readCommand } from '../../../src/store/commands/read-command.ts'
import { type CommandCase, commandCases, received } from './command-cases.ts'
import { askPuppetDb, asksPuppetDb, type RealAnswer, recordedAnswers, titleOf } from './recorded.ts'

const factsTime =
  'Output of normalize-facts does not match schema: {:producer_timestamp (not (matches-some-precondition? nil))}'
const reportTime = 'Value does not match schema: {:start_time (not (matches-some-precondition? a-String))}'

/** Cases that PuppetDB's code takes, and its database refuses: their answer is ours. */
const refusedLater = new Map<string, string>([
  ['replace facts 5: time 2026326', factsTime],
  ['store report 8: time 2026-11-22T24:00:00Z', reportTime],
  ['store report 8: time 2026-11-22T06:32:56.Z', reportTime],
])

describe('commands that PuppetDB 7.12 was given too', () => {
  const answers = asksPuppetDb ? askPuppetDb() : recordedAnswers()

  it('are all answered as was recorded', () => {
    expect([...answers.keys()]).toEqual(commandCases.map(titleOf))
    expect(answers).toEqual(recordedAnswers())
  })

  it.each(commandCases.map((each) => [titleOf(each), each] as const))('%s', (title, each) => {
    const real = answers.get(title)!
    const ours = ourAnswer(each)
    const refused = refusedLater.get(title)
    if (refused !== undefined) expect(ours).toEqual({ error: refused })
    else if (real.error !== undefined) expect({ error: words(ours.error) }).toEqual({ error: words(real.error) })
    else expect(comparable(ours, each)).toEqual(comparable(real, each))
  })
})

function ourAnswer({ command: name, version, payload }: CommandCase): RealAnswer {
  try {
    const command = readCommand({ name, version, payload: Buffer.from(payload), received })
    return { stored: parseJson(formatExactJson(command.payload)) }
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    return { error: error.diagnostic.message }
  }
}

/** Members in any order, as Clojure has them; without the colours and lines of its function schemas. */
function words(error: string | undefined): unknown {
  const text = error
    ?.replace(/\u001b\[[\d;]*m/g, '')
    .replace(/\s+/g, ' ')
    .replaceAll(': {', ': {')
    .trim()
  const found = /^((?:Value|Output of normalize-facts) does not match schema: ){(.*)}$/.exec(text ?? '')
  return found ? [found[1], found[2]!.split(/, (?=:)/).sort()] : text
}

/** What both say, with lists that have no order sorted, and without what PuppetDB leaves to its storage. */
function comparable({ stored, error }: RealAnswer, { command }: CommandCase): unknown {
  if (error !== undefined) return { error }
  const value = stored as Record<string, unknown>
  if (command === 'replace catalog') return catalogParts(value)
  if (command === 'store report') return reportParts(value as unknown as StoreCommand['payload'])
  return withoutNulls(value)
}

function catalogParts({ resources, edges, ...about }: Record<string, unknown>): unknown {
  const sorted = (list: unknown, part: (each: Record<string, unknown>) => unknown) =>
    ((list ?? []) as Record<string, unknown>[]).map((each) => formatExactJson(part(each))).sort()
  const resourceParts = ({ type, title, exported, file, line, tags, parameters }: Record<string, unknown>) => ({
    ...{ type, title, exported, file: file ?? null, line: line ?? null, parameters },
    tags: [...(tags as string[])].sort(),
  })
  const edgeParts = ({ source, target, relationship }: Record<string, unknown>) => {
    const ends = ([source, target] as readonly Record<string, unknown>[]).map(({ type, title }) => [type, title])
    return [...ends, relationship]
  }
  return {
    ...(withoutNulls(about) as object),
    resources: sorted(resources, resourceParts),
    edges: sorted(edges, edgeParts),
  }
}

function reportParts(report: unknown): unknown {
  const { type, resources, logs, metrics, ...about } = withoutNulls(report) as Record<string, unknown>
  const sorted = ((resources ?? []) as unknown[]).map((each) => JSON.stringify(sortedKeys(each))).sort()
  return { ...about, type: type ?? 'agent', logs: logs ?? [], metrics: metrics ?? [], resources: sorted }
}

function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, each]) => !(Array.isArray(each) && each.length === 0))
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, each]) => [key, sortedKeys(each)]))
}

/** PuppetDB leaves out what we say is null. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object' || value === null || value instanceof Number || value instanceof Map) return value
  const entries = Object.entries(value).filter(([, each]) => each !== null && each !== undefined)
  return Object.fromEntries(entries.map(([key, each]) => [key, withoutNulls(each)]))
}
