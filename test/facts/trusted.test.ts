import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { externalTrustedData, trustedFacts } from '../../src/facts/trusted.ts'
import { localCommands } from '../../src/system/commands.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const folder = scratchFolder('trusted')

describe('trusted facts', () => {
  it.each([
    ['remote', 'web.example.com', 'web.example.com', 'web', 'example.com'],
    ['local', 'web', 'web', 'web', null],
    [false, 'web.example.com', null, null, null],
    ['remote', undefined, null, null, null],
  ] as const)('of %s %s', (authenticated, given, certname, hostname, domain) => {
    const extensions = { pp_role: 'web' }
    expect(trustedFacts({ authenticated, certname: given, extensions }, { a: 1 })).toEqual({
      authenticated,
      certname,
      hostname,
      domain,
      extensions: authenticated === false ? {} : extensions,
      external: { a: 1 },
    })
  })
})

describe('external trusted data', () => {
  const program = (name: string, text: string) => {
    const path = join(folder, name)
    writeFileSync(path, `#!/bin/sh\n${text}\n`)
    chmodSync(path, 0o755)
    return path
  }

  it('is what the program says of the node', async () => {
    const command = program('good', `printf '{"name": "%s"}' "$1"`)
    expect(await externalTrustedData(command, 'a.test', localCommands)).toEqual({ name: 'a.test' })
  })

  it.each([
    ['status', 'echo no >&2; exit 2', 'exit status 2: no'],
    ['list', 'echo "[]"', 'its output must be an object'],
    ['text', 'echo hello', 'JSON'],
  ])('fails on a bad program (%s)', async (name, text, message) => {
    await expect(externalTrustedData(program(name, text), 'a.test', localCommands)).rejects.toThrow(message)
  })
})
