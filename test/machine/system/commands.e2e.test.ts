import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { afterAll, describe, expect, it } from 'vitest'
import { resolveScriptPath } from '../../../src/base/program/script-path.ts'
import { localCommands } from '../../../src/machine/system/commands.ts'
import { ProgramStarter } from '../../../src/machine/system/program-starter.ts'
import type { CommandOptions, Commands } from '../../../src/machine/system/system.ts'

const starter = new ProgramStarter()
afterAll(() => starter.close())

const kinds: readonly [string, Commands][] = [
  ['programs of this machine', localCommands],
  ['programs that a small process starts', starter],
]

describe.each(kinds)('%s', (_, commands) => {
  const find = (name: string, path?: string) => commands.find(name, path)
  const run = (command: readonly string[], options?: CommandOptions) => commands.run(command, options)

  it('finds a program on the path', async () => {
    expect(await find('sh')).toMatch(/\/sh$/)
    expect(await find('sh', '/nowhere')).toBeUndefined()
    expect(await find('/bin/sh')).toBe('/bin/sh')
  })

  it('answers with the status and all that was said', async () => {
    expect(await run(['sh', '-c', 'echo out; echo err >&2; exit 3'])).toEqual({
      status: 3,
      stdout: 'out\n',
      stderr: 'err\n',
      output: expect.stringContaining('out\n'),
      timedOut: false,
    })
  })

  it('hands on input, environment, folder and umask', async () => {
    const { stdout } = await run(['sh', '-c', 'cat; echo "$A-$HOME-"; pwd; umask'], {
      input: 'in\n',
      env: { A: 'a', HOME: undefined },
      cwd: '/',
      umask: 0o027,
    })
    expect(stdout).toBe('in\na--\n/\n0027\n')
  })

  it('never goes through a shell', async () => {
    expect((await run(['echo', '$HOME; ls'])).stdout).toBe('$HOME; ls\n')
  })

  it('ends a program with all that it started when its time is up', async () => {
    const result = await run(['sh', '-c', 'echo begun; sleep 1000 | cat'], { timeout: 3 })
    expect(result).toMatchObject({ timedOut: true, status: 137, stdout: 'begun\n' })
  })

  it('ends a program that prints without end', async () => {
    const program = 'trap "" PIPE; while :; do echo endless; done'
    const result = await run(['sh', '-c', program], { maxOutput: 10_000 })
    expect(result).toMatchObject({ overflowed: true, status: 137 })
    expect((await run(['echo', 'short'], { maxOutput: 10_000 })).overflowed).toBe(false)
  })

  it('does not wait for a daemon that holds the output open', async () => {
    const { stdout } = await run(['sh', '-c', 'sleep 1000 & echo $!'])
    process.kill(Number(stdout))
  })

  it('needs no reader for all that it gives', async () => {
    expect(await run(['true'], { input: 'x'.repeat(1_000_000) })).toMatchObject({ status: 0, stdout: '' })
    expect(await run(['cat'])).toMatchObject({ status: 0, stdout: '' })
  })

  it('puts characters together that came in parts, and keeps every line end', async () => {
    const { stdout } = await run(['sh', '-c', "printf '\\303'; sleep 0.1; printf '\\244\\n\\n'"])
    expect(stdout).toBe('ä\n\n')
  })

  it('counts a signal as a shell does', async () => {
    expect(await run(['sh', '-c', 'kill -TERM $$'])).toMatchObject({ status: 143, timedOut: false })
  })

  it('keeps the umask of others', async () => {
    const before = process.umask()
    await Promise.all([run(['true'], { umask: 0o077 }), run(['/no/such/program'], { umask: 0o077 }).catch(() => {})])
    expect(process.umask()).toBe(before)
  })

  it.each([
    { command: [''] },
    { command: ['echo', 'a\0b'] },
    { command: ['/etc/passwd'] },
    { command: ['echo'], cwd: '/no/such/folder' },
  ])('says that $command could not be started', async ({ command, ...options }) => {
    await expect(run(command, options)).rejects.toThrow('Could not execute posix command: ')
  })

  it('says which program could not be started', async () => {
    await expect(run(['/no/such/program'])).rejects.toThrow(
      'Could not execute posix command: No such file or directory - /no/such/program',
    )
  })
})

describe('the small process', () => {
  const childrenOf = (pid: number | string) =>
    execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
      .split('\n')
      .map(Number)
      .filter((each) => each > 0)
  const own = async (commands: ProgramStarter) => Number((await commands.run(['sh', '-c', 'echo $PPID'])).stdout)

  it('stays the same for all programs, and is followed by another when it dies', async () => {
    const commands = new ProgramStarter()
    const first = await own(commands)
    expect(childrenOf(process.pid)).toContain(first)
    expect(await own(commands)).toBe(first)
    const underway = commands.run(['sleep', '100'])
    await expect.poll(() => childrenOf(first)).toHaveLength(1)
    const [sleep] = childrenOf(first)
    process.kill(first, 'SIGKILL')
    await expect(underway).rejects.toThrow('the process of the request has exited - sleep')
    process.kill(sleep!)
    expect(await own(commands)).not.toBe(first)
    commands.close()
  })

  it('ends with us, however we end, and not with what a terminal sends', async () => {
    const script = `
      import { ProgramStarter } from ${JSON.stringify(resolveScriptPath(new URL('../../../src/machine/system/program-starter.js', import.meta.url)))}
      const starter = new ProgramStarter()
      const tell = async () => console.log((await starter.run(['sh', '-c', 'echo $PPID'])).stdout)
      process.stdin.on('data', tell)
      await tell()`
    const ours = spawn(process.execPath, ['--input-type=module', '-e', script])
    const pid = Number(await new Promise((said) => ours.stdout.once('data', said)))
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const) process.kill(pid, signal)
    ours.stdin.write('again')
    expect(Number(await new Promise((said) => ours.stdout.once('data', said)))).toBe(pid)
    expect(childrenOf(ours.pid!)).toEqual([pid])
    ours.kill('SIGKILL')
    // Gone, or not yet taken note of by the process that takes in orphans.
    await expect
      .poll(() => spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout)
      .toMatch(/^(?:Z.*)?$/m)
  })

  it('keeps nobody alive who waits for nothing', async () => {
    const script = `
      import { ProgramStarter } from ${JSON.stringify(resolveScriptPath(new URL('../../../src/machine/system/program-starter.js', import.meta.url)))}
      console.log((await new ProgramStarter().run(['echo', 'done'])).stdout)`
    expect(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })).toBe('done\n\n')
  })
})
