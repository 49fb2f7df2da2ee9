import { describe, expect, it } from 'vitest'
import { localCommands } from '../../src/system/commands.ts'

const { find, run } = localCommands

describe('programs of this machine', () => {
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
    const began = Date.now()
    const result = await run(['sh', '-c', 'echo begun; sleep 100 | cat'], { timeout: 3 })
    expect(result).toMatchObject({ timedOut: true, status: 137, stdout: 'begun\n' })
    expect(Date.now() - began).toBeLessThan(90_000)
  })

  it('ends a program that prints without end', async () => {
    const program = 'trap "" PIPE; while :; do echo endless; done'
    const result = await run(['sh', '-c', program], { maxOutput: 10_000 })
    expect(result).toMatchObject({ overflowed: true, status: 137 })
    expect((await run(['echo', 'short'], { maxOutput: 10_000 })).overflowed).toBe(false)
  })

  it('does not wait for a daemon that holds the output open', async () => {
    const began = Date.now()
    const { stdout } = await run(['sh', '-c', 'sleep 100 & echo $!'])
    expect(Date.now() - began).toBeLessThan(90_000)
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
