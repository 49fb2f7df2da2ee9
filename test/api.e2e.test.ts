import { resolve } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'

describe('the package', () => {
  it('exports this, built, and nothing else', async () => {
    const program = `
      console.log(Object.keys(await import('plumbline')).sort().join())
      await import('plumbline/dist/main.js').catch(({ code }) => console.log(code))`
    const words = ['--input-type=module', '--eval', program]
    const { stdout } = await execa(process.execPath, words, { cwd: resolve(import.meta.dirname, '..') })
    expect(stdout.split('\n')).toEqual(['CompileError,compileCatalog', 'ERR_PACKAGE_PATH_NOT_EXPORTED'])
  })
})
