import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { without } from '../../support/needs.ts'
import { startWindows, type WindowsMachine, type WindowsResult, windowsFolder } from '../../support/windows/wine.ts'

const missing = without('Windows (Wine)')

/** Longer than the 260 characters that programs of Windows without `\\?\` can open. */
const longName = Array.from({ length: 6 }, (_, index) => `${index}`.repeat(60)).join('/')

const manifest = String.raw`
filebucket { 'main': path => 'C:/work/bucket' }
file {
  'C:/work/made':                   ensure => directory;
  'C:\work\made\crlf.txt':          content => "a\r\nb\r\n";
  'c:/work/made/UPPER.txt':         content => 'upper';
  'C:/work/made/utf16.txt':         content => Binary('//5hAA0ACgA=');
  'C:/work/made/from-path.txt':     source => 'C:\work\given\a.txt';
  'C:/work/made/from-url.txt':      source => 'file:///C:/work/given/a.txt';
  'C:/work/made/from-module.txt':   source => 'puppet:///modules/m/a.txt';
  'C:/work/made/tree':              source => 'C:/work/given', recurse => true;
  'C:/work/purged':                 ensure => directory, recurse => true, purge => true, force => true, ignore => '*.kept';
  'C:/work/purged/managed.txt':     content => 'managed';
  'C:/work/old.txt':                content => 'new', backup => 'main';
  'C:/work/suffix.txt':             content => 'new', backup => '.bak';
  'C:/work/folder':                 ensure => absent, force => true;
  'C:/work/file':                   ensure => directory, force => true;
}
tidy { 'C:/work/tidied': recurse => true, matches => '*.tmp', rmdirs => false }
`

const files: Readonly<Record<string, string>> = {
  'given/a.txt': 'given\r\n',
  'given/sub/b.txt': 'below\n',
  'modules/m/files/a.txt': 'module\n',
  'purged/MANAGED.txt': 'managed',
  'purged/stray.txt': 'x',
  'purged/sub/stray.txt': 'x',
  'purged/notes.kept': 'x',
  'old.txt': 'old',
  'suffix.txt': 'old',
  'folder/in/it.txt': 'x',
  file: 'x',
  'tidied/a.tmp': 'x',
  'tidied/sub/b.tmp': 'x',
  'tidied/sub/c.txt': 'x',
}

describe.skipIf(missing)(`files on Windows${missing}`, () => {
  let windows: WindowsMachine
  const onDrive = (path: string) => join(windows.driveC, 'work', path)
  const write = (path: string, text: string) => {
    mkdirSync(dirname(onDrive(path)), { recursive: true })
    writeFileSync(onDrive(path), text)
  }
  const apply = (code: string, ...options: readonly string[]): Promise<WindowsResult> => {
    write('site.pp', code)
    // A path without a drive is one of drive Z:, on which the suite starts programs.
    const modules = ['--modulepath', onDrive('modules')]
    const words = ['apply', '--detailed-exitcodes', ...modules, ...options, 'C:\\work\\site.pp']
    return windows.plumb(words)
  }
  const listEvents = ({ stdout, stderr }: WindowsResult) =>
    `${stdout}${stderr}`
      .split('\n')
      .filter((line) => line.includes('/Stage[main]/'))
      .map((line) => line.replace(/^.*\/Stage\[main\]\/Main\//, '').replace(/\{sha256\}[0-9a-f]{64}/g, 'SUM'))
      .sort()

  beforeAll(async () => {
    windows = await startWindows()
    for (const [path, text] of Object.entries(files)) write(path, text)
  })
  afterAll(() => windows?.stop())

  it('changes nothing in a noop run', async () => {
    const result = await apply(manifest, '--noop')
    expect(result).toMatchObject({ exitCode: 0, stderr: '' })
    expect(listEvents(result)).toContain('File[C:/work/made]/ensure: created (noop)')
    expect(existsSync(onDrive('made'))).toBe(false)
    expect(readFileSync(onDrive('old.txt'), 'utf8')).toBe('old')
  })

  it('creates, copies, replaces, purges and tidies', async () => {
    const result = await apply(manifest)
    expect(result).toMatchObject({ exitCode: 2, stderr: '' })
    expect(readFileSync(onDrive('made/crlf.txt'), 'utf8')).toBe('a\r\nb\r\n')
    expect(readFileSync(onDrive('made/UPPER.txt'), 'utf8')).toBe('upper')
    expect(readFileSync(onDrive('made/utf16.txt')).toString('hex')).toBe('fffe61000d000a00')
    for (const name of ['from-path.txt', 'from-url.txt', 'tree/a.txt'])
      expect(readFileSync(onDrive(`made/${name}`), 'utf8')).toBe('given\r\n')
    expect(readFileSync(onDrive('made/from-module.txt'), 'utf8')).toBe('module\n')
    expect(readFileSync(onDrive('made/tree/sub/b.txt'), 'utf8')).toBe('below\n')
    expect(readdirSync(onDrive('purged')).sort()).toEqual(['MANAGED.txt', 'notes.kept'])
    expect(readFileSync(onDrive('suffix.txt.bak'), 'utf8')).toBe('old')
    expect(existsSync(onDrive('folder'))).toBe(false)
    expect(readdirSync(onDrive('file'))).toEqual([])
    expect(readdirSync(onDrive('tidied'), { recursive: true }).sort()).toEqual(['sub', 'sub/c.txt'])
    expect(listEvents(result)).toMatchSnapshot()
  })

  it('changes nothing in a second run', async () => {
    const result = await apply(manifest)
    expect(result).toMatchObject({ exitCode: 0, stderr: '' })
    expect(listEvents(result)).toEqual([])
  })

  it('restores the backup from the bucket', async () => {
    const list = await windows.plumb(['filebucket', 'list', '--local', '--bucket', 'C:\\work\\bucket'])
    expect(list.stdout).toContain('C:/work/old.txt')
  })

  it('creates files with long paths, and removes them', async () => {
    const folders = longName.split('/').map((_, index, names) => `C:/work/${names.slice(0, index + 1).join('/')}`)
    const list = folders.map((path) => `'${path}'`).join(', ')
    const created = await apply(
      `file { [${list}]: ensure => directory }\nfile { '${folders.at(-1)}/f.txt': content => 'x' }`,
    )
    expect(created).toMatchObject({ exitCode: 2, stderr: '' })
    expect(readFileSync(onDrive(`${longName}/f.txt`), 'utf8')).toBe('x')
    const removed = await apply(`file { '${folders[0]}': ensure => absent, force => true }`)
    expect(removed).toMatchObject({ exitCode: 2, stderr: '' })
    expect(existsSync(onDrive(longName.split('/')[0]!))).toBe(false)
  })

  it('rejects devices, streams, relative sources and lists that it cannot read, and changes nothing', async () => {
    const before = readdirSync(onDrive('.')).sort()
    const result = await apply(`
      file { 'C:/work/nul.txt': content => 'x' }
      file { 'C:/work/old.txt:stream': content => 'x' }
      file { 'C:/work/x.': content => 'x' }
      file { 'C:/work/suffix.txt': mode => '0644' }`)
    expect(result.exitCode).toBe(4)
    expect(result.stderr).toContain('Could not use C:/work/nul.txt as a file: nul.txt is the name of a device')
    expect(result.stderr).toContain('old.txt:stream is a stream of a file')
    expect(result.stderr).toContain("Windows removes the last character of 'x.'")
    expect(result.stderr).toContain('Could not read owner, group and access list of C:/work/suffix.txt')
    expect(readdirSync(onDrive('.')).sort()).toEqual(before)
    const relative = await apply(String.raw`file { 'C:/work/y': source => 'work\y' }`)
    expect(relative.stderr).toContain("Cannot use relative URLs 'work\\y'")
  })

  it('names the file that another program has open', async () => {
    const holder = `
      const fs = require('fs')
      const file = fs.openSync('C:/work/old.txt', 'r')
      fs.writeFileSync('C:/work/held', '')
      setInterval(() => { if (!fs.existsSync('C:/work/held')) process.exit() }, 50)`
    const holding = windows.run([join(windowsFolder, 'node.exe'), '-e', holder])
    await expect.poll(() => existsSync(onDrive('held')), { timeout: 30_000 }).toBe(true)
    const result = await apply(`file { 'C:/work/old.txt': content => 'newer' }`)
    rmSync(onDrive('held'))
    await holding
    expect(result.exitCode).toBe(4)
    expect(result.stderr).toContain('C:/work/old.txt')
    expect(readFileSync(onDrive('old.txt'), 'utf8')).toBe('new')
    expect(readdirSync(onDrive('.')).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })
})
