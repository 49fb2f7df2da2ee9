import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { without } from '../../support/needs.ts'
import { onDriveZ, startWindows, type WindowsMachine, windowsFolder } from '../../support/windows/wine.ts'

const missing = without('Windows (Wine)')

const node = onDriveZ(join(windowsFolder, 'node.exe')).replaceAll('/', '\\')
const path = 'path => ["C:\\\\tools", "C:\\\\windows\\\\system32;C:\\\\windows"]'

/** Words that a shell, cmd.exe or a careless quotation would change. */
const hostile = [
  'a b',
  'quote"inside',
  '"quoted"',
  'C:\\ends with\\',
  'C:\\dir\\',
  'back\\\\"slash',
  '%PATHEXT%',
  '^caret',
  'a&echo planted',
  'x|y',
  '<in>',
  '!bang!',
  "it's",
  'semi;colon,comma',
  '',
  'größe',
]

const text = (value: string) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

describe.skipIf(missing)(`exec on Windows${missing}`, () => {
  let windows: WindowsMachine
  beforeAll(async () => {
    windows = await startWindows()
    mkdirSync(join(windows.driveC, 'tools'))
    const files = {
      'tools/args.cjs': 'console.log(JSON.stringify(process.argv.slice(2)))\n',
      'tools/batch.bat': '@echo batch [%1] [%~2]\r\n@exit /b %3\r\n',
      'tools/words.cmd': `@"${node}" C:\\tools\\args.cjs %*\r\n`,
      'tools/script.ps1': '',
      'tools/text.exe': 'no program',
      'work/batch.bat': '@echo planted\r\n',
      'work/cmd.exe': 'no program',
    }
    for (const [name, content] of Object.entries(files)) writeFileSync(join(windows.driveC, name), content)
  })
  afterAll(() => windows?.stop())

  /** The log of an apply, by resource; the source of a line is shortened to the title. */
  async function apply(manifest: string, ...options: readonly string[]): Promise<readonly string[]> {
    writeFileSync(join(windows.driveC, 'work/site.pp'), manifest)
    const words = ['apply', '--color=false', ...options, 'C:\\work\\site.pp']
    const { stdout, stderr } = await windows.plumb(words)
    return `${stdout}${stderr}`.split('\n').flatMap((line) => {
      const [, title, rest] = /Exec\[([^\]]*)\](?:\/\w+)?: (.*)/.exec(line) ?? []
      if (title !== undefined) return [`${title}: ${rest}`]
      return /^Error: /.test(line) ? [line] : []
    })
  }

  it('passes command lines unchanged, and words of an array exactly', async () => {
    const words = [node, 'C:\\tools\\args.cjs', ...hostile].map(text).join(', ')
    // Wine's cmd.exe replaces a variable that the one of Windows leaves.
    const batch = hostile.filter((word) => word !== '' && !word.includes('%'))
    const log = await apply(`
      Exec { logoutput => true, ${path}, cwd => 'C:/work' }
      exec { 'line': command => ${text(`"${node}" C:\\tools\\args.cjs "a b" c\\"d "e\\\\" %PATHEXT% &`)} }
      exec { 'array': command => [${words}] }
      exec { 'batch': command => 'batch "a & b" "c d" 0' }
      exec { 'words': command => [${['words', ...batch].map(text).join(', ')}] }
      exec { 'cmd': command => 'cmd.exe /c echo "one" & echo two 1>&2 & echo three' }
      exec { 'variable': command => 'cmd.exe /c echo %plumb_x% %PathExt%', environment => ['plumb_x=a b', 'PATHEXT=.exe'] }
    `)
    const done = (title: string) => `${title}: executed successfully`
    expect(log).toEqual([
      `line: ${JSON.stringify(['a b', 'c"d', 'e\\', '%PATHEXT%', '&'])}`,
      done('line'),
      `array: ${JSON.stringify(hostile)}`,
      done('array'),
      'batch: batch ["a & b"] [c d]',
      done('batch'),
      `words: ${JSON.stringify(batch)}`,
      done('words'),
      'cmd: "one" ',
      'cmd: two  ',
      'cmd: three',
      done('cmd'),
      'variable: a b .exe',
      done('variable'),
    ])
  })

  it('fails as Puppet does, and never starts a program of the current folder', async () => {
    const log = await apply(`
      Exec { ${path}, cwd => 'C:/work' }
      exec { 'status': command => 'batch a b 3' }
      exec { 'accepted': command => 'cmd.exe /c exit -1', returns => [0, 4294967295] }
      exec { 'builtin': command => 'echo hi' }
      exec { 'script': command => 'script.ps1' }
      exec { 'none': command => 'C:/tools/none.exe' }
      exec { 'folder': command => 'C:/tools' }
      exec { 'text': command => 'C:/tools/text.exe' }
      exec { 'planted': command => 'batch x y 0', path => '.;;C:\\windows\\system32' }
      exec { 'cwd': command => 'cmd.exe /c exit', cwd => 'C:/none' }
      exec { 'break': command => ['batch', "a\\nb"] }
      exec { 'timeout': command => ${text(`"${node}" -e "setInterval(String, 9999)"`)}, timeout => 1 }
    `)
    const failed = (title: string, why: string) => [
      `Error: ${why}`,
      `${title}: change from 'notrun' to ['0'] failed: ${why}`,
    ]
    expect(log).toEqual([
      'status: batch [a] [b]',
      'accepted: executed successfully',
      ...failed('status', "'batch a b 3' returned 3 instead of one of [0]"),
      ...failed('builtin', "Could not find command 'echo'"),
      ...failed('script', "Could not find command 'script.ps1'"),
      ...failed('none', "Could not find command 'C:/tools/none.exe'"),
      ...failed('folder', "'C:/tools' is a directory, not a file"),
      ...failed('text', '%1 is not a valid Win32 application. - CreateProcess'),
      ...failed('planted', "Could not find command 'batch'"),
      ...failed('cwd', 'Working directory C:/none does not exist!'),
      ...failed(
        'break',
        'Batch file C:/tools/batch.bat cannot be run: its name or an argument has forbidden characters',
      ),
      ...failed('timeout', 'Command exceeded timeout'),
    ])
  })

  it('runs only under its conditions', async () => {
    const log = await apply(`
      Exec { command => 'cmd.exe /c echo x>>C:\\\\work\\\\ran.txt', ${path} }
      exec { 'creates': creates => 'C:/tools/ARGS.CJS' }
      exec { 'unless': unless => ['cmd.exe /c exit 1', ['cmd.exe', '/c', 'exit', '0']] }
      exec { 'onlyif': onlyif => 'batch a b 0' }
      exec { 'refreshed': refreshonly => true, subscribe => Exec['onlyif'] }
      exec { 'tries': command => 'cmd.exe /c echo t>>C:\\\\work\\\\tries.txt & exit 1', tries => 2, returns => 1 }
    `)
    expect([...log].sort()).toEqual([
      'onlyif: executed successfully',
      "refreshed: Triggered 'refresh' from 1 event",
      'tries: executed successfully',
    ])
    expect(readFileSync(join(windows.driveC, 'work/ran.txt'), 'utf8')).toBe('x\r\nx\r\n')
  })

  it('validates files with programs that get the path of the new content', async () => {
    const script =
      'const fs = require("fs"); const [path] = process.argv.slice(2); console.log(path); process.exit(fs.readFileSync(path, "utf8").length)'
    writeFileSync(join(windows.driveC, 'tools/check.cjs'), script)
    const batch = `@"${node}" C:\\tools\\check.cjs %1\r\n`
    mkdirSync(join(windows.driveC, 'tools/a b'))
    for (const name of ['check.bat', 'a b/check.bat']) writeFileSync(join(windows.driveC, 'tools', name), batch)
    writeFileSync(
      join(windows.driveC, 'work/site.pp'),
      `file { 'C:/work/good.txt': content => '', validate_cmd => ${text(`"${node}" C:\\tools\\check.cjs %`)} }
      file { 'C:/work/batch.txt': content => '', validate_cmd => 'C:/tools/check.bat %' }
      file { 'C:/work/spaces.txt': content => '', validate_cmd => 'C:/tools/a b/check.bat %' }
      file { 'C:/work/bad.txt': content => 'abc', validate_cmd => 'C:/tools/check.bat "%"' }
      file { 'C:/work/none.txt': content => '', validate_cmd => 'none %' }`,
    )
    const { stderr } = await windows.plumb(['apply', '--color=false', 'C:\\work\\site.pp'])
    const path = 'C:/work/\\S+'
    expect(stderr).toMatch(new RegExp(`Execution of 'C:/tools/check.bat "${path}"' returned 3: ${path}`))
    expect(stderr).toMatch(new RegExp(`Execution of 'none ${path}' returned 1: Error: No such file or directory`))
    const exists = (name: string) => existsSync(join(windows.driveC, `work/${name}.txt`))
    expect(['good', 'batch', 'spaces', 'bad', 'none'].filter(exists)).toEqual(['good', 'batch', 'spaces'])
  })

  it('rejects a user', async () => {
    const [line] = await apply("exec { 'cmd.exe /c exit': path => 'C:/windows/system32', user => 'ann' }")
    expect(line).toContain('cmd.exe /c exit: Unable to execute commands as other users on Windows')
  })
})
