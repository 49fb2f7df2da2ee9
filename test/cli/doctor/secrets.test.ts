import {
  appendFileSync,
  chmodSync,
  linkSync,
  mkdirSync,
  openSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it } from 'vitest'
import { secretsCheck } from '../../../src/cli/doctor/checks/secrets.ts'
import { searchContent } from '../../../src/cli/doctor/secrets/content-search.ts'
import { searchFiles } from '../../../src/cli/doctor/secrets/file-search.ts'
import { compileSecretPatterns } from '../../../src/cli/doctor/secrets/secret-patterns.ts'
import { checkSettings } from '../../../src/machine/settings/settings.ts'
import { localSystem } from '../../../src/machine/system/local-system.ts'
import { yamlCatalogFormat } from '../../../src/node/agent/catalog/catalog-files.ts'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const secret = 'Pa"s\\wörd/+ 9'
let folder: string

beforeEach(() => {
  folder = scratchFolder('doctor-secrets')
})

function write(path: string, content: string | Uint8Array): string {
  const full = join(folder, path)
  mkdirSync(dirname(full), { recursive: true })
  writeFileSync(full, content)
  return full
}

/** Findings of the check, as `CODE what`, with `@` for the folder. */
async function examine(words: readonly string[], input = '') {
  const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var')]
  const all = ['doctor', '--role', 'both', '--render-as', 'json', ...places, ...words]
  const { status, out, err } = await runHere(all, input)
  const findings: { code: string; what: string; fix: string }[] = out === '' ? [] : JSON.parse(out).findings
  const lines = findings.map(({ code, what }) => `${code} ${what.replaceAll(folder, '@')}`)
  return { status, err, findings, lines, text: `${out}${err}` }
}

const catalog = (resources: readonly object[]) => JSON.stringify({ name: 'web1', resources, edges: [], classes: [] })

/** Writes a catalog in which the content of File[/etc/x] is a secret. */
const writeCatalog = (content: unknown = secret, path = 'var/client_data/catalog/web1.json') =>
  write(path, catalog([{ type: 'File', title: '/etc/x', parameters: { content }, sensitive_parameters: ['content'] }]))

const plainCatalog =
  'CATALOG_PLAIN The cached catalog contains secrets in plain text: @/var/client_data/catalog/web1.json'

describe('the forms of a secret', () => {
  const upper = secret.replace('ö', '\\u00F6')
  it.each([
    ['plain text', `before ${secret} after`],
    ['escaped JSON', JSON.stringify({ a: [`x${secret}y`] })],
    ['escaped JSON', JSON.stringify(secret).replace('ö', '\\u00f6')],
    ['escaped JSON', JSON.stringify(upper).replace('\\\\u', '\\u')],
    ['base64', Buffer.from(secret).toString('base64')],
    ['base64', Buffer.from(secret).toString('base64url')],
    ['URL encoding', `?a=${encodeURIComponent(secret)}&b`],
    ['URL encoding', String(new URLSearchParams({ a: secret }))],
    ['URL encoding', `?a=${encodeURIComponent(secret).toLowerCase()}`.replace('pa', 'Pa')],
  ])('are found: %s in %s', async (form, text) => {
    writeCatalog()
    write('var/log/some.log', text)
    const { status, lines, text: said } = await examine(['secrets'])
    expect(status).toBe(2)
    expect(lines).toEqual([
      plainCatalog,
      `SECRET_COPY @/var/log/some.log contains a secret as ${form}: File[/etc/x] content`,
    ])
    expect(said).not.toContain('rd/+ 9')
  })

  it('include JSON as Ruby prints it', async () => {
    const control = `key\u001f\u007f\t"\\/é\u2028😀`
    writeCatalog(control)
    // JSON.generate, and JSON.generate with ascii_only, of Ruby 3.1.
    write('var/a', '"key\\u001f\u007f\\t\\"\\\\/é\u2028😀"')
    write('var/b', '"key\\u001f\u007f\\t\\"\\\\/\\u00e9\\u2028\\ud83d\\ude00"')
    expect((await examine(['secrets'])).lines).toEqual([
      plainCatalog,
      'SECRET_COPY @/var/a contains a secret as escaped JSON: File[/etc/x] content',
      'SECRET_COPY @/var/b contains a secret as escaped JSON: File[/etc/x] content',
    ])
  })

  it('include gzip data, also truncated or followed by zeros', async () => {
    writeCatalog()
    const packed = gzipSync(Buffer.from(`${'x'.repeat(100_000)}${secret}${'y'.repeat(1000)}`))
    write('var/log/a.gz', packed)
    write('var/log/b.gz', packed.subarray(0, -12))
    write('var/log/c', Buffer.concat([packed, Buffer.alloc(9)]))
    write('var/log/d.gz', Buffer.concat([Buffer.from([0x1f, 0x8b, 8]), Buffer.from('no gzip data')]))
    expect((await examine(['secrets'])).lines).toEqual([
      plainCatalog,
      ...['a.gz', 'b.gz', 'c'].map(
        (name) => `SECRET_COPY @/var/log/${name} contains a secret as plain text in gzip data: File[/etc/x] content`,
      ),
      'NOT_READABLE Not completely searched for secrets (gzip: unknown header flags set): @/var/log/d.gz',
    ])
  })

  it('are found across the borders of the parts that are read', async () => {
    writeCatalog()
    for (let before = 1; before < secret.length; before++)
      write(`var/state/${before}`, `${'-'.repeat(1024 * 1024 - before)}${secret}`)
    expect((await examine(['secrets'])).lines).toHaveLength(secret.length)
  })
})

describe('the secrets of a catalog', () => {
  it('are Sensitive values at any depth, with the origin of each', async () => {
    const sensitive = (value: unknown) => ({ __ptype: 'Sensitive', __pvalue: value })
    const resources = [
      { type: 'Notify', title: 'a', parameters: { message: { b: [sensitive('deep-secret')] } } },
      {
        type: 'Exec',
        title: 'c',
        parameters: { environment: ['A=hidden1', 'B=short'] },
        sensitive_parameters: ['environment'],
      },
      { type: 'Note', title: 'd', parameters: { pin: sensitive(12345678), flag: sensitive(true) } },
      {
        type: 'File',
        title: 'e',
        parameters: { path: '/e', content: sensitive({ __ptype: 'Binary', __pvalue: '/wABAgME' }) },
      },
      {
        type: 'File',
        title: 'f',
        parameters: {
          content: { __ptype: 'Deferred', name: 'sprintf', arguments: ['not secret', sensitive('of-argument')] },
        },
        sensitive_parameters: ['content'],
      },
      { type: 'File', title: 'g', parameters: { content: 'whole line\n' }, sensitive_parameters: ['content'] },
      { type: 'File', title: 'h', parameters: { content: 'public value' } },
    ]
    write('var/client_data/catalog/web1.json', catalog(resources))
    const left =
      'deep-secret A=hidden1 B=short 12345678 not secret of-argument whole line; public value \xff\0\x01\x02\x03\x04'
    write('var/state/left', Buffer.from(left, 'latin1'))
    expect((await examine(['secrets'])).lines).toEqual([
      plainCatalog,
      ...[
        'Exec[c] environment',
        'File[e] content',
        'File[f] content',
        'File[g] content',
        'Note[d] pin',
        'Notify[a] message',
      ].map((origin) => `SECRET_COPY @/var/state/left contains a secret as plain text: ${origin}`),
    ])
  })

  it('are found in the file that the catalog manages only if it is another file', async () => {
    const title = join(folder, 'etc/managed')
    const file = { type: 'File', title, parameters: { content: secret }, sensitive_parameters: ['content'] }
    write('var/client_data/catalog/web1.json', catalog([file]))
    write('etc/managed', secret)
    write('etc/.managed.0123.tmp', secret)
    expect((await examine(['secrets'])).lines).toEqual([
      plainCatalog,
      'SECRET_COPY @/etc/.managed.0123.tmp contains a secret as plain text: File[@/etc/managed] content',
    ])
  })

  it('are read from YAML, and reported for an unfinished copy', async () => {
    writeCatalog(secret, 'var/client_data/catalog/.web1.json.0123.tmp')
    const file = { type: 'File', title: '/etc/x', parameters: { content: secret }, sensitive_parameters: ['content'] }
    const wire = { name: 'web1', resources: [file] }
    write('var/client_yaml/catalog/web1.yaml', yamlCatalogFormat.print({ wire, text: '', signature: undefined }))
    const { findings, lines } = await examine(['secrets'])
    expect(lines).toEqual([
      'CATALOG_PLAIN The cached catalog contains secrets in plain text: @/var/client_yaml/catalog/web1.yaml',
      'SECRET_COPY @/var/client_data/catalog/.web1.json.0123.tmp contains a secret as escaped JSON: File[/etc/x] content',
    ])
    expect(findings[0]!.fix).toBe('Set catalog_secrets = encrypt on the server.')
  })

  it('are unknown if the catalog is damaged', async () => {
    write('var/client_data/catalog/web1.json', '{"name":')
    const { status, lines } = await examine(['secrets'])
    expect([status, lines]).toEqual([
      1,
      [expect.stringMatching(/^CATALOG_UNREADABLE The secrets in .*web1.json are unknown: /)],
    ])
  })

  it('are none in a catalog without Sensitive values', async () => {
    write(
      'var/client_data/catalog/web1.json',
      catalog([{ type: 'File', title: '/x', parameters: { content: 'public' } }]),
    )
    write('var/state/x', 'public')
    expect(await examine(['secrets'])).toMatchObject({ status: 0, lines: [] })
  })
})

describe('the option --secrets', () => {
  it('names the line of each secret, and does not search its own file', async () => {
    const file = write('var/list', 'first secret\nhunter\nhunter2000\n\xff\xfe\xfd\r\0 bytes')
    writeFileSync(file, Buffer.from('first secret\nhunter\nhunter2000\n\xff\xfe\xfd\r\0 bytes', 'latin1'))
    write('var/state/a', 'a hunter2000')
    write('var/state/b', 'a hunter200')
    write('var/state/c', Buffer.from('\xff\xfe\xfd\r\0 bytes', 'latin1'))
    const expected = (origin: string) => [
      `SECRET_COPY @/var/state/a contains a secret as plain text: line 2 of ${origin}`,
      `SECRET_COPY @/var/state/a contains a secret as plain text: line 3 of ${origin}`,
      `SECRET_COPY @/var/state/b contains a secret as plain text: line 2 of ${origin}`,
      `SECRET_COPY @/var/state/c contains a secret as plain text: line 4 of ${origin}`,
    ]
    expect((await examine(['secrets', '--secrets', file])).lines).toEqual(expected('@/var/list'))
    const { lines } = await examine(['secrets', '--secrets', '-'], 'first secret\nhunter\nhunter2000\n')
    expect(lines.filter((line) => line.includes('/state/'))).toEqual(expected('standard input').slice(0, 3))
  })

  it.each([
    ['short', 'long enough\nshort\n', 'The secret in line 2 of standard input is shorter than 6 bytes'],
    ['empty', 'long enough\n\nlong enough', 'The secret in line 2 of standard input is shorter than 6 bytes'],
    ['no', '', 'standard input contains no secrets'],
    ['too many', 'long enough\n'.repeat(100_000), 'standard input exceeds 1048576 bytes'],
  ])('rejects %s secrets, without printing them', async (_, input, message) => {
    const { status, err } = await examine(['secrets', '--secrets', '-'], input)
    expect(status).toBe(1)
    expect(err).toContain(message)
    expect(err).not.toMatch(/long enough|\bshort\n/)
  })

  it('requires the check', async () => {
    const { status, err } = await examine(['disk', '--secrets', '-'], 'long enough')
    expect([status, err]).toEqual([1, expect.stringContaining("The option --secrets requires the check 'secrets'")])
    expect((await examine(['secrets', '--secrets', join(folder, 'missing')])).err).toContain('No such file')
  })

  it('never prints a secret that is part of a name', async () => {
    write('var/state/hunter2000', 'hunter2000')
    const { lines, text } = await examine(['secrets', '--secrets', '-'], 'hunter2000\n')
    expect(lines).toEqual([
      'SECRET_COPY @/var/state/[redacted] contains a secret as plain text: line 1 of standard input',
    ])
    expect(text).not.toContain('hunter2000')
  })
})

describe('a finding', () => {
  it('contains no form of a secret, and no part of a longer or overlapping one', async () => {
    const packed = Buffer.from('abcdefghijSECRET?>').toString('base64')
    const url = Buffer.from(packed).toString('latin1').replaceAll('/', '-')
    write(`var/state/${url}/abcdefghijSECRET?>/xxabcdefghi-end`, 'abcdef')
    const { lines, text } = await examine(['secrets', '--secrets', '-'], 'abcdef\nabcdefghijSECRET?>\ndefghi\n')
    expect(lines).toEqual([
      'SECRET_COPY @/var/state/[redacted]/[redacted]/xx[redacted]-end contains a secret as plain text: line 1 of standard input',
    ])
    expect(text).not.toMatch(/SECRET[?]|ghi/)
  })
})

describe('the files', () => {
  it('are searched up to their size at the beginning', async () => {
    const path = write('growing', 'x'.repeat(10))
    const handle = await open(path)
    const { patterns } = compileSecretPatterns([{ value: Buffer.from('hunter2000'), origin: 'line 1' }])
    const parts: number[] = []
    await searchContent(handle, 10, patterns, (bytes) => {
      appendFileSync(path, 'hunter2000')
      return parts.push(bytes) < 100
    })
    await handle.close()
    expect(parts).toEqual([10])
  })

  it('are read once, without links, private keys, pipes and other directories', async () => {
    const outside = write('outside', 'hunter2000')
    const first = write('var/state/one', 'hunter2000')
    linkSync(first, join(folder, 'var/state/two'))
    symlinkSync(outside, join(folder, 'var/state/link'))
    symlinkSync(folder, join(folder, 'var/state/above'))
    write('etc/ssl/private_keys/web1.pem', 'hunter2000')
    write('etc/ssl/certs/web1.pem', 'hunter2000')
    const { lines } = await examine(['secrets', '--secrets', '-'], 'hunter2000')
    expect(lines.map((line) => line.replace(/ contains.*/, '').replace(/one|two/, 'N'))).toEqual([
      'SECRET_COPY @/etc/ssl/certs/web1.pem',
      'SECRET_COPY @/var/state/N',
    ])
  })

  it('are searched where a root is a link', async () => {
    write('disk/state/a', 'hunter2000')
    writeCatalog('hunter2000', 'disk/client_data/catalog/web1.json')
    symlinkSync(join(folder, 'disk'), join(folder, 'var'))
    const { lines } = await examine(['secrets', '--secrets', '-'], 'hunter2000')
    expect(lines).toEqual([
      plainCatalog.replace('var', 'disk'),
      'SECRET_COPY @/disk/state/a contains a secret as plain text: File[/etc/x] content',
      'SECRET_COPY @/disk/state/a contains a secret as plain text: line 1 of standard input',
    ])
  })

  it('are reported if they cannot be read', async () => {
    chmodSync(folder, 0o755)
    write('var/state/readable', 'hunter2000')
    chmodSync(write('var/state/file', 'hunter2000'), 0o000)
    write('var/state/directory/file', 'hunter2000')
    chmodSync(join(folder, 'var/state/directory'), 0o000)
    const isRoot = process.geteuid?.() === 0
    if (isRoot) process.seteuid?.(65534)
    try {
      const { lines } = await examine(['secrets', '--secrets', '-'], 'hunter2000')
      expect(lines).toEqual([
        'SECRET_COPY @/var/state/readable contains a secret as plain text: line 1 of standard input',
        expect.stringMatching(
          /^NOT_READABLE Not completely searched for secrets \(Permission denied\): (?=.*@\/var\/state\/file)(?=.*@\/var\/state\/directory)/,
        ),
      ])
    } finally {
      if (isRoot) process.seteuid?.(0)
      chmodSync(join(folder, 'var/state/directory'), 0o755)
    }
  })

  it('are searched to the end of a sparse file of a gibibyte, in constant memory', async () => {
    const sparse = write('var/core', '')
    truncateSync(sparse, 2 ** 30)
    writeSync(openSync(sparse, 'r+'), 'hunter2000', 2 ** 30 - 10)
    const before = process.memoryUsage().arrayBuffers
    const { lines } = await examine(['secrets', '--secrets', '-'], 'hunter2000')
    expect(lines).toEqual(['SECRET_COPY @/var/core contains a secret as plain text: line 1 of standard input'])
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 2 ** 20)
  }, 60_000)

  it('are listed up to a limit', async () => {
    for (let index = 0; index < 105; index++) write(`var/state/${index}`, 'hunter2000')
    const { lines } = await examine(['secrets', '--secrets', '-'], 'hunter2000')
    expect(lines).toHaveLength(101)
    expect(lines.at(-1)).toBe('MORE_COPIES Files contain secrets in 5 further places')
  })
})

describe('the limits of a run with all checks', () => {
  const secrets = compileSecretPatterns([{ value: Buffer.from('hunter2000'), origin: 'line 1' }])
  const search = (mostBytes: number, mostMs: number) =>
    searchFiles(secrets, { roots: [join(folder, 'a'), join(folder, 'b')], excluded: [], mostBytes, mostMs })

  it('name the directories that were not searched', async () => {
    write('a/x', 'hunter2000'.padEnd(100))
    write('b/c/y', 'hunter2000')
    expect((await search(100, 60_000)).skipped).toEqual([join(folder, 'a'), join(folder, 'b')])
    expect((await search(100, 60_000)).found.map(({ file }) => file)).toEqual([join(folder, 'a/x')])
    expect((await search(101, 60_000)).skipped).toEqual([join(folder, 'b/c')])
    expect((await search(1000, 0)).skipped).toEqual([join(folder, 'a'), join(folder, 'b')])
    expect((await search(1000, 60_000)).skipped).toEqual([])
  })

  it('apply to the secrets of the cached catalog', async () => {
    writeCatalog()
    write('var/state/x', secret)
    const given = { confdir: join(folder, 'etc'), vardir: join(folder, 'var') }
    const agent = checkSettings({ given, runMode: 'agent' }).settings
    const secretSearch = { secrets: [], file: undefined, isComplete: false }
    const installation = { server: undefined, agent, source: { given }, system: localSystem, secretSearch }
    expect(secretsCheck.isUnlimited?.(installation)).toBe(false)
    const codes = (await secretsCheck.run(installation)).map(({ code }) => code)
    expect(codes).toEqual(['SECRET_COPY'])
  })
})

it('omits the largest secrets beyond the limit of memory', () => {
  const large = { value: Buffer.alloc(5 * 2 ** 20, 'x'), origin: 'large' }
  const small = { value: Buffer.from('hunter2000'), origin: 'small' }
  const { omitted, matches } = compileSecretPatterns([large, small])
  expect(omitted).toBe(1)
  expect(matches.flat().every(({ secret: { origin } }) => origin === 'small')).toBe(true)
})
