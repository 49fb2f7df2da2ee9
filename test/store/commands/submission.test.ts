import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  checkSubmissionHeaders,
  readSubmission,
  type SubmissionRequest,
} from '../../../src/store/commands/submission.ts'
import { hasPuppetDb, startPuppetDb } from '../../support/real-puppetdb.js'
import { asksProgram } from '../../support/recorded-answers.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { most, type SubmissionCase, submissionCases } from './submission-cases.ts'

interface Answer {
  readonly status: number
  readonly contentType: string | null
  readonly body: string
}

const file = join(import.meta.dirname, 'recorded', 'submission.json')
const asksPuppetDb = hasPuppetDb && asksProgram
const recorded: readonly Answer[] = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []

describe('requests that PuppetDB 7.12 was sent too', () => {
  it.runIf(asksPuppetDb)(
    'are answered as was recorded',
    async () => {
      const config = `[command-processing]\nreject-large-commands = true\nmax-command-size = ${most}\n`
      const folder = scratchFolder('submissions')
      chmodSync(folder, 0o755) // PostgreSQL runs as another user
      const real = await startPuppetDb(folder, { config })
      try {
        const answers: Answer[] = []
        for (const each of submissionCases) answers.push(await realAnswer(real.url, each))
        if (process.env.UPDATE)
          writeFileSync(file, `[\n${answers.map((each) => JSON.stringify(each)).join(',\n')}\n]\n`)
        else expect(answers).toEqual(recorded)
      } finally {
        await real.stop()
      }
    },
    300_000,
  )

  it.each(submissionCases.map((each, index) => [titleOf(each), each, index] as const))('%s', (_, each, index) => {
    expect(ourAnswer(each)).toEqual(withOurVersions(recorded[index]!))
  })
})

describe('requests of versions that PuppetDB has retired', () => {
  const names = [
    ['replace catalog', 1, JSON.stringify({ metadata: { api_version: 1 }, data: { name: 'web1' } })],
    ['replace catalog', 3, { metadata: { api_version: 1 }, data: { name: 'web1' } }],
    ['replace catalog', 5, { name: 'web1' }],
    ['replace facts', 1, '{"name":"web1"}'],
    ['replace facts', 3, { name: 'web1' }],
    ['store report', 2, { certname: 'web1' }],
    ['deactivate node', 1, '"web1"'],
    ['deactivate node', 2, 'web1'],
  ] as const

  it.each(names)('%s %d in the old form', (command, version, payload) => {
    const body = Buffer.from(JSON.stringify({ command, version, payload }))
    const outcome = readSubmission({ query: [], headers: {} }, body, most)
    expect(outcome).toMatchObject({ submission: { name: command, version, certname: 'web1' } })
    const { submission } = outcome as { submission: { payload: Uint8Array } }
    expect(JSON.parse(Buffer.from(submission.payload).toString())).toEqual(payload)
  })
})

describe('a request that is taken', () => {
  it('says how long its client waits, and when it was made', () => {
    const query = { command: 'replace_facts', version: '5', certname: 'web1', secondsToWaitForCompletion: '1.5' }
    const request: SubmissionRequest = {
      query: Object.entries({ ...query, 'producer-timestamp': '2026-11-22T07:00:00.5+01:00' }),
      headers: {},
    }
    expect(readSubmission(request, Buffer.from('{}'), most)).toEqual({
      submission: {
        ...{ name: 'replace facts', version: 5, certname: 'web1', waitMs: 1500, payload: Buffer.from('{}') },
        producerTimestamp: '2026-11-22T06:00:00.500Z',
      },
    })
  })
})

async function realAnswer(url: string, { query, body, headers }: SubmissionCase): Promise<Answer> {
  const response = await fetch(`${url}/pdb/cmd/v1?${parameters(query)}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
  })
  const text = await response.text()
  const contentType = response.headers.get('content-type')
  return {
    status: response.status,
    contentType,
    body: text.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/, 'UUID'),
  }
}

function ourAnswer({ query, body, headers }: SubmissionCase): Answer {
  const bytes = Buffer.from(body)
  const sent = { 'content-type': 'application/json', accept: 'application/json', ...headers }
  const request = { query, headers: { 'content-length': String(bytes.length), ...sent } }
  const refusal = checkSubmissionHeaders(request, most)
  if (refusal) return refusal
  const outcome = readSubmission(request, bytes, most)
  if ('refusal' in outcome) return outcome.refusal
  return { status: 200, contentType: 'application/json;charset=utf-8', body: '{\n  "uuid" : "UUID"\n}' }
}

/** PuppetDB has retired the versions below its minimum; ours takes all from 1 on. */
function withOurVersions(answer: Answer): Answer {
  return { ...answer, body: answer.body.replace(/(?<=minimum supported version is )\d/, '1') }
}

function titleOf({ query, body, headers }: SubmissionCase): string {
  return `${parameters(query)} ${body.slice(0, 80)} ${JSON.stringify(headers ?? {})}`
}

function parameters(query: SubmissionCase['query']): URLSearchParams {
  const all = new URLSearchParams()
  for (const [name, value] of query) all.append(name, value)
  return all
}
