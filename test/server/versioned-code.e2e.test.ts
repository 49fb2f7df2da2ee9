import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scratchFolder } from '../support/scratch-folder.ts'
import { type Serving, serve } from './serving.ts'

const folder = scratchFolder('versioned')
let serving: Serving

function program(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\n${text}\n`)
  chmodSync(path, 0o755)
  return path
}

beforeAll(async () => {
  const environmentpath = join(folder, 'environments')
  for (const [path, text] of Object.entries({
    'production/manifests/site.pp': "file { '/tmp/a': source => 'puppet:///modules/demo/a.txt' }\n",
    'production/modules/demo/files/a.txt': 'on disk\n',
    'broken/manifests/site.pp': '',
    'silent/manifests/site.pp': "file { '/tmp/a': source => 'puppet:///modules/demo/a.txt' }\n",
    'silent/modules/demo/files/a.txt': 'on disk\n',
  })) {
    mkdirSync(join(environmentpath, path, '..'), { recursive: true })
    writeFileSync(join(environmentpath, path), text)
  }
  serving = await serve({
    environmentpath,
    code_id_command: program(
      'code-id',
      'case "$1" in production) echo "v1;$1";; silent) ;; *) echo no >&2; exit 3;; esac',
    ),
    code_content_command: program(
      'code-content',
      '[ "$2" = "v1;production" ] && printf "$1 $2 $3 \\000\\377" || exit 1',
    ),
  })
})

afterAll(async () => {
  await serving?.stop()
})

const post = (environment: string) =>
  serving.call('POST', '/puppet/v3/catalog/a.test', {
    as: 'a.test',
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: `environment=${environment}&static_catalog=true&checksum_type=sha256`,
  })

describe('code that other programs version', () => {
  it('has the code_id that the program says, and static metadata', async () => {
    const { status, text } = await post('production')
    const catalog = JSON.parse(text)
    expect([status, catalog.code_id]).toEqual([200, 'v1;production'])
    expect(catalog.metadata['/tmp/a'].content_uri).toBe('puppet:///modules/demo/files/a.txt')
  })

  it('gives a catalog that is not static where the program prints nothing', async () => {
    const { status, text } = await post('silent')
    const catalog = JSON.parse(text)
    expect([status, catalog.code_id, catalog.metadata]).toEqual([200, null, undefined])
  })

  const ask = (codeId: string) =>
    serving.call(
      'GET',
      `/puppet/v3/static_file_content/modules/demo/files/a.txt?environment=production&code_id=${encodeURIComponent(codeId)}`,
      { as: 'a.test' },
    )

  it('has the bytes that the program prints', async () => {
    const { status, bytes } = await ask('v1;production')
    const expected = Buffer.concat([
      Buffer.from('production v1;production modules/demo/files/a.txt '),
      Buffer.from([0, 255]),
    ])
    expect([status, bytes.equals(expected)]).toEqual([200, true])
  })

  it('says how a program failed', async () => {
    const command = join(folder, 'code-id')
    const answer = await post('broken')
    expect([answer.status, answer.headers['content-type'], answer.text]).toEqual([
      500,
      'text/plain;charset=utf-8',
      `Internal Server Error: Non-zero exit code returned while running '${command} broken'. exit-code: '3', stdout: '', stderr: 'no\n'`,
    ])
    expect((await ask('v2')).status).toBe(500)
  })

  it('needs both programs', async () => {
    await expect(serve({ code_id_command: join(folder, 'code-id') })).rejects.toThrow(
      'Only one of "versioned-code.code-id-command" and "versioned-code.code-content-command" was set.',
    )
  })
})
