import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { scratchFolder } from '../../../support/scratch-folder.ts'

/** The header of an ELF file: 32 or 64 bits, little-endian or big-endian, and the number of the machine. */
export function elfHeader(bits: 32 | 64, order: 'little' | 'big', machine: number): Buffer {
  const header = Buffer.alloc(64)
  header.write('\x7fELF')
  header[4] = bits / 32
  header[5] = order === 'little' ? 1 : 2
  if (order === 'little') header.writeUInt16LE(machine, 18)
  else header.writeUInt16BE(machine, 18)
  return header
}

/** A root directory with the given files, the accounts of root, and a program for x86_64. */
export function rootDirectory(files: Readonly<Record<string, string | Buffer>>): string {
  const root = scratchFolder('root-directory')
  const all = {
    '/etc/passwd': 'root:x:0:0:root:/root:/bin/sh\n',
    '/etc/group': 'root:x:0:\n',
    '/bin/sh': elfHeader(64, 'little', 62),
    ...files,
  }
  for (const [path, content] of Object.entries(all)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  return root
}
