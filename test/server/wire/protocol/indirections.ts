import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import { bytesType, error, jsonType, type Row, type Section, sendsJson } from './row.ts'

const e = 'environment=production'
const bytes = { accept: bytesType, 'content-type': bytesType }
const sum = (text: string) => createHash('sha256').update(text).digest('hex')
const bucket = (text: string) => `file_bucket_file/sha256/${sum(text)}`
const report = {
  ...{ host: 'a.test', time: '2026-11-20T10:00:00.000000000+00:00', configuration_version: 1, transaction_uuid: 'u' },
  ...{ report_format: 12, puppet_version: '7.23.0', status: 'unchanged', transaction_completed: true },
  ...{ noop: false, noop_pending: false, environment: 'production', logs: [], metrics: {}, resource_statuses: {} },
  corrective_change: false,
}
const reported = (row: string, body: object | string, status: number, answer: unknown): Row => ({
  ...{ row, request: `PUT report/a.test?${e}`, headers: sendsJson, status, type: jsonType, answer },
  body: typeof body === 'string' ? body : JSON.stringify(body),
})
const unreadable = error(expect.stringMatching(/^Bad Request: The request body is invalid: /))
const refused = (row: string, path: string, message: string): Row => ({
  ...{ row, request: `GET file_bucket_file/${path}?${e}`, headers: bytes, status: 500, type: jsonType },
  answer: error(`Server Error: ${message}`),
})

/** Section 9: node, facts, report, file bucket, environments. */
export const indirections: readonly Section[] = [
  {
    section: '9',
    server: 'byDefault',
    rows: [
      {
        row: 'PUT facts/CN',
        ...{ request: `PUT facts/a.test?${e}`, headers: sendsJson, status: 200, type: jsonType },
        body: JSON.stringify({
          name: 'a.test',
          values: { kernel: 'Linux' },
          timestamp: '2026-11-20T10:00:00.000000000+00:00',
        }),
      },
      {
        row: 'GET node/CN: the facts are its parameters',
        ...{ request: `GET node/a.test?${e}&configured_environment=production&transaction_uuid=u`, status: 200 },
        ...{ type: jsonType, answer: expect.objectContaining({ name: 'a.test', environment: 'production' }) },
      },
      {
        row: 'GET node/CN: no classes where there are none',
        ...{ request: `GET node/a.test?${e}`, status: 200, answer: ['name', 'environment', 'parameters'] },
        part: (node: object) => Object.keys(node),
      },
      {
        row: 'GET node/CN of another node',
        ...{ request: `GET node/b.test?${e}`, status: 403, type: 'none' },
      },
      {
        row: 'GET facts/CN is denied',
        ...{ request: `GET facts/a.test?${e}`, status: 403, type: 'none' },
      },
      reported('PUT report/CN: the processors that saw it', report, 200, ['store']),
      reported('a report without its lists', { ...report, logs: undefined }, 400, unreadable),
      reported('a report that is no JSON', '{', 400, unreadable),
      {
        row: 'PUT file_bucket_file: 200 and empty',
        ...{
          request: `PUT ${bucket('kept\n')}/etc/motd?${e}`,
          headers: bytes,
          body: 'kept\n',
          status: 200,
          answer: '',
        },
      },
      {
        row: 'HEAD: 200',
        ...{ request: `HEAD ${bucket('kept\n')}?${e}`, headers: bytes, status: 200, answer: '' },
      },
      {
        row: 'HEAD with the path: 200',
        ...{ request: `HEAD ${bucket('kept\n')}/etc/motd?${e}`, headers: bytes, status: 200, answer: '' },
      },
      {
        row: 'HEAD with another path: 404',
        ...{ request: `HEAD ${bucket('kept\n')}/etc/other?${e}`, headers: bytes, status: 404, answer: '' },
      },
      {
        row: 'HEAD of nothing: 404',
        ...{ request: `HEAD ${bucket('nothing')}?${e}`, headers: bytes, status: 404, answer: '' },
      },
      {
        row: 'GET: the bytes',
        ...{ request: `GET ${bucket('kept\n')}?${e}`, headers: bytes, status: 200, type: bytesType, answer: 'kept\n' },
      },
      {
        row: 'GET of nothing: 404',
        ...{ request: `GET ${bucket('nothing')}?${e}`, headers: bytes, status: 404, type: jsonType },
        answer: error(`Not Found: Could not find ${bucket('nothing').replace('/', ' ')}`, 'RESOURCE_NOT_FOUND'),
      },
      {
        row: 'what is put gets the sum of its bytes, whatever the address says',
        ...{ request: `PUT ${bucket('kept\n')}?${e}`, headers: bytes, body: 'other\n', status: 200, answer: '' },
      },
      {
        row: 'and is found by it',
        ...{ request: `GET ${bucket('other\n')}?${e}`, headers: bytes, status: 200, answer: 'other\n' },
      },
      {
        row: 'diff_with: the difference',
        ...{ request: `GET ${bucket('kept\n')}?diff_with=${sum('other\n')}&${e}`, headers: bytes, status: 200 },
        answer: expect.stringMatching(/^-kept\n\+other$/m),
      },
      refused('a sum that is none', 'sha256/zz', 'Invalid checksum "zz"'),
      refused('an algorithm that is none', `foo/${sum('')}`, 'Unsupported checksum type "foo"'),
      {
        row: 'list_all is refused',
        ...{ request: `GET file_bucket_file/sha256/0?list_all=true&${e}`, headers: bytes, status: 500, type: jsonType },
        answer: error('Server Error: Listing remote file buckets is not allowed'),
      },
      {
        row: 'GET environments: needs neither environment nor Accept',
        ...{ request: 'GET environments', headers: {}, status: 200, type: jsonType },
        answer: {
          search_paths: ['file://ENVIRONMENTS', 'data:text/plain,internal'],
          environments: expect.objectContaining({
            production: {
              settings: {
                modulepath: expect.arrayContaining(['ENVIRONMENTS/production/modules']),
                ...{ manifest: 'ENVIRONMENTS/production/manifests', environment_timeout: 0, config_version: '' },
              },
            },
          }),
        },
      },
    ],
  },
]
