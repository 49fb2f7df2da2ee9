import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { localSystem } from '../../../src/machine/system/local-system.ts'
import { readExternalTrustedData } from '../../../src/node/facts/trusted.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

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
    expect(await readExternalTrustedData(command, 'a.test', localSystem)).toEqual({ name: 'a.test' })
  })

  it.each([
    ['status', 'echo no >&2; exit 2', 'exit status 2: no'],
    ['list', 'echo "[]"', 'its output must be an object'],
    ['text', 'echo hello', 'JSON'],
  ])('fails on a bad program (%s)', async (name, text, message) => {
    await expect(readExternalTrustedData(program(name, text), 'a.test', localSystem)).rejects.toThrow(message)
  })

  it('is the data of each executable file of a directory', async () => {
    const directory = join(folder, 'programs')
    mkdirSync(join(directory, 'nested.d'), { recursive: true })
    for (const name of ['plain', 'shell.sh', 'two.dots.rb', '.hidden'])
      program(join('programs', name), `printf '{"%s": "%s"}' '${name}' "$1"`)
    writeFileSync(join(directory, 'README.md'), 'No program.')
    // The names are those of `File.basename(file, File.extname(file))` in Ruby 3.1.
    expect(await readExternalTrustedData(directory, 'a.test', localSystem)).toEqual({
      '.hidden': { '.hidden': 'a.test' },
      plain: { plain: 'a.test' },
      shell: { 'shell.sh': 'a.test' },
      'two.dots': { 'two.dots.rb': 'a.test' },
    })
    program('programs/shell.rb', 'echo {}')
    const twice = `There is more than one 'shell' script in ${directory}`
    await expect(readExternalTrustedData(directory, 'a.test', localSystem)).rejects.toThrow(twice)
  })
})
