import { expect } from 'vitest'
import { bytesType, error, jsonType, type Row, type Section, textType } from './row.ts'

const e = 'environment=production'
const json = { accept: 'application/json' }
const bytes = { accept: bytesType }
const of = `${e}&code_id=CODE_ID`

interface Metadata {
  readonly relative_path: string | null
  readonly mode: number
}

const served = (path: string, query: string, status: number, answer: string, type = textType): Row => ({
  ...{ row: `${path}?${query}`, request: `GET static_file_content/${path}?${query}`, headers: {} },
  ...{ status, type, answer },
})
const noFile =
  'Request Denied: A /static_file_content request must be a file within the files, lib, scripts, or tasks directory of a module.'
const incomplete = 'Error: A /static_file_content request requires an environment, a code-id, and a file-path'

const content = (row: string, path: string, answer: string): Row => ({
  ...{ row, request: `GET file_content/${path}?${e}`, headers: bytes, status: 200, type: bytesType, answer },
})
const metadata = (row: string, path: string, answer: object, query = ''): Row => ({
  ...{ row, request: `GET file_metadata/${path}?${e}${query}`, headers: json, status: 200, type: jsonType },
  answer: expect.objectContaining(answer),
})
const listed = (
  row: string,
  path: string,
  answer: unknown,
  query = '',
  key: keyof Metadata = 'relative_path',
): Row => ({
  ...{
    row,
    request: `GET file_metadatas/${path}?${e}&recurse=true${query}`,
    headers: json,
    status: 200,
    type: jsonType,
  },
  ...{ part: (found: Metadata[]) => found.map((each) => each[key]), answer },
})
const failed = (row: string, request: string, message: string | RegExp): Row => ({
  ...{ row, request: `GET ${request}`, headers: { accept: `application/json, ${bytesType}` }, status: 500 },
  ...{ type: jsonType, answer: error(`Server Error: ${message}`) },
})

/** Sections 7 and 8: files. */
export const files: readonly Section[] = [
  {
    section: '7',
    server: 'byDefault',
    rows: [
      served('modules/demo/files/a.txt', `code_id=CODE_ID`, 400, incomplete),
      served('modules/demo/files/a.txt', e, 400, incomplete),
      served('modules/demo/files/a.txt', `environment=&code_id=`, 400, incomplete),
      served('', of, 400, incomplete),
      served(
        'modules/demo/files/a.txt',
        'environment=a-b&code_id=CODE_ID',
        400,
        "The environment must be purely alphanumeric, not 'a-b'",
      ),
      served(
        'modules/demo/files/a.txt',
        `${e}&code_id=a%20b`,
        400,
        "Invalid code-id 'a b'. Must contain only alpha-numerics and '-', '_', ';', or ':'",
      ),
      ...[
        'modules/demo/manifests/init.pp',
        'modules/demo/facts.d/run.sh',
        'manifests/site.pp',
        'modules/demo/files/',
      ].map((path) => served(path, of, 403, noFile)),
      served('modules/demo/files/a.txt', of, 200, 'some content\n', bytesType),
      served('modules/demo/tasks/hi.sh', of, 200, '#!/bin/sh\n', bytesType),
      served('modules/demo/scripts/s.sh', of, 200, 'script\n', bytesType),
      served('modules/demo/lib/facter/own.rb', of, 200, '# a fact\n', bytesType),
      {
        row: 'the bytes have their length',
        request: `GET static_file_content/modules/demo/files/a.txt?${of}`,
        ...{ headers: bytes, status: 200, has: { 'content-length': '13' } },
      },
      {
        row: 'a folder is 404',
        ...{ request: `GET static_file_content/modules/demo/files/tree?${of}`, status: 404, type: textType },
      },
      {
        row: 'a file that is not there is 404',
        ...{ request: `GET static_file_content/modules/demo/files/none?${of}`, status: 404, type: textType },
      },
      {
        row: 'a commit that is not there is 404',
        request: `GET static_file_content/modules/demo/files/a.txt?${e}&code_id=${'1'.repeat(40)}`,
        ...{ status: 404, type: textType },
      },
      {
        row: 'dots are stopped before',
        request: `GET static_file_content/modules/demo/files/%2e%2e/x?${of}`,
        ...{ status: 400, type: 'none' },
        answer: 'Invalid relative path (.. or .) in: /puppet/v3/static_file_content/modules/demo/files/../x',
      },
      {
        row: 'whoever has a certificate, and nobody else',
        request: `GET static_file_content/modules/demo/files/a.txt?${of}`,
        ...{ as: 'nobody', status: 403, type: 'none' },
      },
    ],
  },
  {
    section: '8',
    server: 'byDefault',
    rows: [
      content('modules/MODULE/PATH', 'modules/demo/a.txt', 'some content\n'),
      content('plugins: the first module that has a path counts', 'plugins/facter/own.rb', '# a fact\n'),
      content('pluginfacts', 'pluginfacts/plain.txt', 'a=b\n'),
      content('locales', 'locales/de/x.po', 'msgid ""\n'),
      content('scripts/MODULE/PATH', 'scripts/demo/s.sh', 'script\n'),
      content('tasks/MODULE/PATH', 'tasks/demo/hi.sh', '#!/bin/sh\n'),
      content('a folder is 200, and empty', 'modules/demo/tree', ''),
      metadata('a file', 'modules/demo/a.txt', {
        ...{ path: 'ENVIRONMENTS/production/modules/demo/files/a.txt', relative_path: null, links: 'manage' },
        ...{ mode: 420, type: 'file', destination: null },
        checksum: { type: 'sha256', value: expect.stringMatching(/^\{sha256\}[0-9a-f]{64}$/) },
      }),
      metadata(
        'checksum_type',
        'modules/demo/a.txt',
        { checksum: expect.objectContaining({ type: 'md5' }) },
        '&checksum_type=md5',
      ),
      metadata('a link under `manage`', 'modules/demo/tree/link.txt', {
        ...{ type: 'link', destination: 'one.txt', links: 'manage' },
      }),
      metadata(
        'a link under `follow`',
        'modules/demo/tree/link.txt',
        { type: 'file', destination: null, links: 'follow' },
        '&links=follow',
      ),
      metadata('a folder', 'modules/demo/tree', {
        ...{ type: 'directory', checksum: { type: 'ctime', value: expect.stringMatching(/^\{ctime\}/) } },
      }),
      metadata('an executable file with `use`', 'pluginfacts/run.sh', { mode: 493 }, '&source_permissions=use'),
      metadata('an executable file with `ignore`', 'pluginfacts/run.sh', { mode: 420 }, '&source_permissions=ignore'),
      listed('all below a folder, itself first', 'modules/demo/tree', [
        ...['.', 'link.txt', 'one.txt', 'sub', 'sub/two.txt'],
      ]),
      listed('recurselimit', 'modules/demo/tree', ['.', 'link.txt', 'one.txt', 'sub'], '&recurselimit=1'),
      listed('ignore, once for each pattern', 'modules/demo/tree', ['.', 'one.txt'], '&ignore=sub&ignore=link*'),
      listed('plugins: merged, itself first', 'plugins', ['.', 'facter', 'facter/own.rb']),
      listed('modes of pluginfacts', 'pluginfacts', [493, 420, 493], '&source_permissions=use', 'mode'),
      {
        row: 'without `recurse`: the root alone',
        request: `GET file_metadatas/plugins?recurse=false&${e}`,
        ...{ status: 200, part: (found: Metadata[]) => found.map((each) => each.relative_path), answer: ['.'] },
      },
      listed('max_files: -1 is no limit', 'modules/demo/tree', expect.any(Array), '&max_files=-1'),
      failed(
        'max_files: more than it',
        `file_metadatas/modules/demo/tree?recurse=true&max_files=1&${e}`,
        "The directory 'ENVIRONMENTS/production/modules/demo/files/tree' contains 4 entries, which exceeds the limit of 1 specified by the max_files parameter for this resource. The limit may be increased, but be aware that large number of file resources can result in excessive resource consumption and degraded performance. Consider using an alternate method to manage large directory trees",
      ),
      {
        row: 'a file that is not there: its metadata',
        ...{ request: `GET file_metadata/modules/demo/none?${e}`, status: 404, type: jsonType },
        answer: error('Not Found: Could not find file_metadata modules/demo/none', 'RESOURCE_NOT_FOUND'),
      },
      {
        row: 'a file that is not there: its bytes',
        ...{ request: `GET file_content/modules/demo/none?${e}`, headers: bytes, status: 404, type: jsonType },
        answer: error('Not Found: Could not find file_content modules/demo/none', 'RESOURCE_NOT_FOUND'),
      },
      {
        row: 'bytes as JSON',
        ...{ request: `GET file_content/modules/demo/a.txt?${e}`, status: 406, type: jsonType },
        answer: error(
          'Not Acceptable: No supported formats are acceptable (Accept: application/json)',
          'UNSUPPORTED_FORMAT',
        ),
      },
      failed(
        'a mount that is not there',
        `file_metadata/nomount/x?${e}`,
        'Not authorized to call find on /file_metadata/nomount/x with {:rest=>"nomount/x"}',
      ),
      failed(
        'a checksum that is none',
        `file_metadata/modules/demo/a.txt?checksum_type=bogus&${e}`,
        'Unsupported checksum type bogus',
      ),
    ],
  },
]
