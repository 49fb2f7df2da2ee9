import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { programCommand, programPath } from '../../../src/base/program/program-command.ts'
import {
  copyProgramFolder,
  isSingleExecutable,
  provideProgramFolder,
  readProgramFile,
  resolveLibraryFile,
  withProgramFile,
} from '../../../src/base/program/program-files.ts'
import { takeChildScript } from '../../../src/base/program/script-process.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const root = join(import.meta.dirname, '../../..')

describe('files of an installed program', () => {
  it('are beside the code', () => {
    const file = join(root, 'hooks/pre-receive')
    expect(isSingleExecutable).toBe(false)
    expect(readProgramFile(file)).toEqual(readFileSync(file))
    expect(readProgramFile(pathToFileURL(file))).toEqual(readFileSync(file))
    expect(provideProgramFolder(join(root, 'hooks'), '/nowhere')).toBe(join(root, 'hooks'))
    expect(readFileSync(resolveLibraryFile('uplot/dist/uPlot.min.css'), 'utf8')).toContain('.uplot')
    expect(() => readProgramFile(join(root, 'hooks/none'))).toThrow('ENOENT')
  })

  it('are read in parts, and not beyond their end', () => {
    const file = join(scratchFolder('program'), 'file')
    writeFileSync(file, 'one two')
    expect(withProgramFile(file, (read, size) => [read(Buffer.alloc(3), 4).toString(), size])).toEqual(['two', 7])
    expect(() => withProgramFile(file, (read) => read(Buffer.alloc(4), 4))).toThrow('the file is truncated')
  })

  it('are copied with all folders below', () => {
    const target = join(scratchFolder('program'), 'copy')
    copyProgramFolder(join(root, 'environments.example/production'), target)
    expect(existsSync(join(target, 'manifests/site.pp'))).toBe(true)
  })

  it('start the program again by its main script', () => {
    expect(programCommand.at(-1)).toBe(programPath)
    expect(programPath).toMatch(/\/main\.[jt]s$/)
  })
})

describe('the script of a child process', () => {
  it('is ignored without a channel to the parent, and is not passed to further processes', () => {
    const env: NodeJS.ProcessEnv = { PLUMB_CHILD_SCRIPT: '/tmp/evil.js', PLUMB_CHILD_HEAP_MB: '5', HOME: '/root' }
    const isConnected = process.connected
    expect(takeChildScript(env)).toEqual(isConnected ? { path: '/tmp/evil.js', heapMb: 5 } : undefined)
    expect(env).toEqual({ HOME: '/root' })
  })
})
