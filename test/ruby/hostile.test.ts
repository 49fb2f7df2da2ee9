import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { EnvironmentSnapshot } from '../../src/code/environments/environment-snapshot.ts'
import type { CompileJob } from '../../src/compiler/workers/compile-job.ts'
import { CompilePool } from '../../src/compiler/workers/compile-pool.ts'
import { plainRequest } from '../support/plain-request.js'
import { scratchFolder } from '../support/scratch-folder.ts'
import { maySpin } from './attacks.ts'

const directory = scratchFolder('hostile')
const functions = join(directory, 'modules/evil/lib/puppet/functions/evil')
mkdirSync(functions, { recursive: true })
const poolOf = (rubyTimeout: number) => new CompilePool({ size: 1, timeout: 300, rubyTimeout, maxQueued: 0 })
const patient = poolOf(120)
const impatient = poolOf(3)

afterAll(async () => {
  await Promise.all([patient.close(), impatient.close()])
})

function job(code: string): CompileJob {
  const environment: EnvironmentSnapshot = {
    name: 'production',
    trees: [{ kind: 'folder', directory, root: '/code/production', ofModules: false }],
    modulepath: [{ tree: 0, path: 'modules' }],
    manifest: { text: code },
    version: 1,
    globalHiera: undefined,
  }
  return { ...plainRequest(environment), format: 'rich' }
}

/** What becomes of a catalog for which that Ruby runs, in line 2. */
async function outcome(name: string, ruby: string, pool = patient): Promise<string> {
  const text = `Puppet::Functions.create_function(:'evil::${name}') do\n  def ${name}\n    ${ruby}\n  end\nend\n`
  writeFileSync(join(functions, `${name}.rb`), text)
  return pool.compile(job(`\n  evil::${name}()`)).then(
    () => 'a catalog',
    (error: Error) => error.message,
  )
}

const ended = 'Ruby code of a module ended its interpreter:'

describe('a hostile module fails its own catalog, at the place of its call, and nothing else', () => {
  it.each([
    ['forever', 'loop { }', /Ruby code of a module ran longer than 3 seconds/],
    ['regexp', "('a' * 60_000).match?(/(a|b|ab)*(?=c)\\1/)", /Ruby code of a module ran longer|a catalog/],
    ['leave', 'exit!', `${ended} Ruby ended with status 1`],
    ['quit', 'exit', 'exit'],
    ['descend', 'descend', 'stack level too deep'],
    ['nest', '[1].each { nest }', /stack level too deep|blocks nested too deep/],
    ['collect', 'f = ->(n) { n == 0 ? GC.start : [n].each { |x| f.(x - 1) } }; f.(100); 1', 'a catalog'],
    ['swell', "'x' * (1 << 30)", 'failed to allocate memory'],
    ['hoard', "all = []; loop { all << 'x' * (1 << 20) }", /failed to allocate memory|ran longer/],
    ['write', "File.write('/code/production/x', 'y')", 'Read-only file system'],
    [
      'remove',
      "File.delete('/code/production/modules/evil/lib/puppet/functions/evil/remove.rb')",
      'Read-only file system',
    ],
    ['shadow', "File.read('/etc/shadow')", 'No such file or directory'],
    ['environ', 'raise ENV.to_h.inspect', '{}'],
    ['process', "File.read('/proc/self/environ')", 'No such file or directory'],
    ['connect', "TCPSocket.new('127.0.0.1', 22)", 'Network access is disabled'],
    ['shell', "system('touch /tmp/owned')", 'programs cannot be run while a catalog is compiled: touch /tmp/owned'],
    ['child', 'fork', 'fork() cannot be used'],
    ['thread', 'Thread.new { }', /unimplemented/],
    ['signal', 'Process.kill(:KILL, Process.pid)', 'a catalog'],
  ])('%s', async (name, ruby, expected) => {
    const pool = maySpin(expected) ? impatient : patient
    const message = await outcome(name, ruby, pool)
    if (message !== 'a catalog') {
      expect(message).toContain('Error while evaluating a Function Call, ')
      expect(message).toMatch(/\(line: 2, column: 3\) on node n1$/)
    }
    if (typeof expected === 'string') expect(message).toContain(expected)
    else expect(message).toMatch(expected)
    const next = await pool.compile(job("notify { 'next': }"))
    expect(Buffer.from(next.body).toString()).toContain('"title":"next"')
  })

  it('is not charged for what the manifest does for it, nor forgiven what it does itself', async () => {
    const functionOf = (name: string, body: string) =>
      writeFileSync(
        join(functions, `${name}.rb`),
        `Puppet::Functions.create_function(:'evil::${name}') do\n  def ${name}\n    ${body}\n  end\nend\n`,
      )
    functionOf('inside', '1')
    const waiting = (name: string, body: string) => {
      functionOf(name, body)
      const busy = 'Integer[1, 2000000].each |$n| { "${n}" }'
      return impatient.compile(job(`\n  evil::${name}()\nfunction busy() { ${busy} evil::inside() ${busy} }`))
    }
    await waiting('patient', "call_function('busy')")
    const late = /ran longer than 3 seconds \(line: 2, column: 3\)/
    await expect(waiting('waiting', "call_function('busy'); loop { }")).rejects.toThrow(late)
  })

  it('keeps no change of a class of Ruby for another environment', async () => {
    expect(await outcome('patch', 'String.class_eval { def upcase = exit! }')).toBe('a catalog')
    const other = job("notify { inline_template('<%= %q(ok).upcase %>'): }")
    const named = { ...other, environment: { ...other.environment, name: 'testing' } }
    expect(Buffer.from((await patient.compile(named)).body).toString()).toContain('"title":"OK"')
  })
})
