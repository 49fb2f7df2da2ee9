// Writes zip archives whose bytes depend on the files alone (APPNOTE.TXT of PKWARE): no owners, one time for all files.
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'
import { getCommitTime, listFiles } from './reproducible.js'

const deflated = 8
const utf8Names = 0x0800
const versionNeeded = 20

/**
 * Archives all files below a folder, in order, with paths that begin with `top`.
 * @param {string} archive
 * @param {string} folder
 * @param {string} top
 */
export function writeZip(archive, folder, top) {
  const output = openSync(archive, 'w')
  try {
    const { time, date } = formatDosTime(getCommitTime())
    const directory = []
    let offset = 0
    for (const path of listFiles(folder)) {
      const bytes = readFileSync(join(folder, path))
      const data = deflateRawSync(bytes, { level: 9 })
      const name = Buffer.from(`${top}/${path}`)
      const common = Buffer.alloc(26)
      common.writeUInt16LE(versionNeeded, 0)
      common.writeUInt16LE(utf8Names, 2)
      common.writeUInt16LE(deflated, 4)
      common.writeUInt16LE(time, 6)
      common.writeUInt16LE(date, 8)
      common.writeUInt32LE(crc32(bytes), 10)
      common.writeUInt32LE(data.length, 14)
      common.writeUInt32LE(bytes.length, 18)
      common.writeUInt16LE(name.length, 22)
      const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, name])
      writeSync(output, local)
      writeSync(output, data)
      const central = Buffer.alloc(14)
      central.writeUInt32LE(offset, 10)
      directory.push(Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([versionNeeded, 0]), common, central, name]))
      offset += local.length + data.length
    }
    const entries = Buffer.concat(directory)
    const end = Buffer.alloc(22)
    end.write('PK\x05\x06', 'latin1')
    end.writeUInt16LE(directory.length, 8)
    end.writeUInt16LE(directory.length, 10)
    end.writeUInt32LE(entries.length, 12)
    end.writeUInt32LE(offset, 16)
    writeSync(output, entries)
    writeSync(output, end)
  } finally {
    closeSync(output)
  }
}

/** @param {number} seconds since 1970 */
function formatDosTime(seconds) {
  const at = new Date(seconds * 1000)
  return {
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
    date: ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
  }
}
