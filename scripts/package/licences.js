// The licences of what the executable contains, as one text: Node with its libraries, and packages of npm.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { listLockedPackages } from '../release/locked-packages.js'
import { getLicenceFile } from './base-programs.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const names = /^(?:licen[cs]e|copying|notice)/i

/** @param {string} target */
export function collectLicences(target) {
  const packages = listLockedPackages().map(({ path, name, version, license }) => {
    const folder = join(root, path)
    const files = existsSync(folder) ? readdirSync(folder).filter((file) => names.test(file)) : []
    const texts = files.sort().map((file) => readFileSync(join(folder, file), 'utf8').trim())
    return [`${name} ${version}: ${license}`, ...texts].join('\n\n')
  })
  return [`Node.js\n\n${readFileSync(getLicenceFile(target), 'utf8').trim()}`, ...packages].join(
    `\n\n${'='.repeat(80)}\n\n`,
  )
}
