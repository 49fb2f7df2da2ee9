import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { externalTrustedData } from '../../src/facts/trusted.ts'
import { localCommands } from '../../src/system/commands.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const folder = scratchFolder('trusted')

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
