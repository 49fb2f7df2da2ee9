// Builds the zip archive and the MSI package of Windows. The archive needs no other program, the package needs wixl of
// msitools (Debian: wixl, msitools).
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getCommitTime, listFiles, normalizeFiles } from './reproducible.js'
import { version } from './system-files.js'
import { writeWindowsFiles } from './windows-files.js'
import { writeZip } from './zip.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Parts of the package that wixl 0.101 cannot describe: the search path, and the place of actions. The previous version is
 * removed last, so that a failed upgrade leaves it.
 */
const additions = [
  'CREATE TABLE `Environment` (`Environment` CHAR(72) NOT NULL, `Name` CHAR(255) NOT NULL LOCALIZABLE, `Value` CHAR(255) LOCALIZABLE, `Component_` CHAR(72) NOT NULL PRIMARY KEY `Environment`)',
  `INSERT INTO \`Environment\` (\`Environment\`, \`Name\`, \`Value\`, \`Component_\`) VALUES ('Path', '=-*PATH', '[~];[${toId('d', 'bin')}]', 'SearchPath')`,
  ...Object.entries({
    RemoveEnvironmentStrings: 3300,
    WriteEnvironmentStrings: 5200,
    InstallExecute: 6500,
  }).map(
    ([action, place]) =>
      `INSERT INTO \`InstallExecuteSequence\` (\`Action\`, \`Sequence\`) VALUES ('${action}', ${place})`,
  ),
  ...Object.entries({ StopForUpgrade: 3410, RemoveService: 3420, RemoveExistingProducts: 6550 }).map(
    ([action, place]) => `UPDATE \`InstallExecuteSequence\` SET \`Sequence\` = ${place} WHERE \`Action\` = '${action}'`,
  ),
]

/**
 * Builds the zip archive in a folder, and returns its path. `node` is another node.exe than the pinned one.
 * @param {string} output
 * @param {string} [node]
 */
export function packageZip(output, node) {
  return withFiles(node, version, (stage) => {
    mkdirSync(output, { recursive: true })
    const name = `plumbline-${version}-win-x64`
    const file = join(output, `${name}.zip`)
    writeZip(file, stage, name)
    return file
  })
}

/**
 * Builds the MSI package in a folder, and returns its path. `release` is the version that the package has.
 * @param {string} output
 * @param {string} [node]
 * @param {string} [release]
 */
export function packageMsi(output, node, release = version) {
  return withFiles(node, release, (stage) => {
    mkdirSync(output, { recursive: true })
    const file = join(output, `plumbline-${release}-win-x64.msi`)
    const source = `${stage}.wxs`
    try {
      writeFileSync(source, describePackage(stage, release))
      /** @param {string} program @param {string[]} words */
      const run = (program, ...words) =>
        execFileSync(program, words, { cwd: stage, stdio: ['ignore', 'inherit', 'inherit'] })
      run('wixl', '--arch', 'x64', '--output', file, source)
      run('msibuild', file, '-q', ...additions)
      // The identity of these bytes, which wixl takes at random.
      const identity = formatGuid(`package ${release} ${getCommitTime()}`)
      run('msibuild', file, '-s', 'Installation Database', 'Plumbline', 'x64;1033', `{${identity}}`)
      setSummaryTimes(file)
    } finally {
      rmSync(source, { force: true })
    }
    return file
  })
}

/**
 * @param {string | undefined} node
 * @param {string} release
 * @param {(stage: string) => string} work
 */
function withFiles(node, release, work) {
  const stage = mkdtempSync(join(tmpdir(), 'plumbline-windows-'))
  try {
    writeWindowsFiles(stage, node, release)
    normalizeFiles(stage)
    return work(stage)
  } finally {
    rmSync(stage, { recursive: true, force: true })
  }
}

/** The format of the summary, F29F85E0-4FF9-1068-AB91-08002B27B3D9, as bytes. [MS-OLEPS] 2.1 */
const summaryFormat = Buffer.from('e0859ff2f94f6810ab9108002b27b3d9', 'hex')
/** Place of the format in the summary, and of the number of the section after it. */
const formatPlace = 28
/** Numbers of the properties: when the package was created, and when it was saved. */
const timeProperties = [12, 13]
const timeType = 0x40

/**
 * Sets the times in the summary of an MSI package to that of the commit; msibuild writes the current time.
 * @param {string} file
 */
function setSummaryTimes(file) {
  const bytes = readFileSync(file)
  const at = bytes.indexOf(summaryFormat)
  if (at < formatPlace || bytes.includes(summaryFormat, at + 1)) throw new Error(`${file} has no single summary`)
  const section = at - formatPlace + bytes.readUInt32LE(at + summaryFormat.length)
  // Times are intervals of 100 ns since 1601.
  const time = (BigInt(getCommitTime()) + 11_644_473_600n) * 10_000_000n
  const places = Array.from({ length: bytes.readUInt32LE(section + 4) }, (_, index) => section + 8 + index * 8)
  const times = places.filter((place) => timeProperties.includes(bytes.readUInt32LE(place)))
  for (const place of times) {
    const value = section + bytes.readUInt32LE(place + 4)
    if (bytes.readUInt32LE(value) !== timeType) throw new Error(`${file} has a summary in an unknown form`)
    bytes.writeBigUInt64LE(time, value + 4)
  }
  if (times.length !== timeProperties.length) throw new Error(`${file} has no times in its summary`)
  writeFileSync(file, bytes)
}

/**
 * The source of the package: a component for each file, with an identity that depends on its path.
 * @param {string} stage
 * @param {string} release
 */
function describePackage(stage, release) {
  const files = listFiles(stage)
  const template = readFileSync(join(root, 'ext/windows/plumbline.wxs'), 'utf8')
  const words = {
    // The same commit is the same product; another version is another one.
    PRODUCT: formatGuid(`product ${release} ${getCommitTime()}`),
    VERSION: release,
    BIN: toId('d', 'bin'),
    NODE: toId('f', `versions/${release}/node.exe`),
    MAIN: toId('f', `versions/${release}/dist/main.js`),
    DIRECTORIES: describeFolder(stage, files, '.'),
    COMPONENTS: files.map((path) => `<ComponentRef Id="${toId('c', path)}"/>`).join('\n'),
  }
  return Object.entries(words).reduce((text, [word, value]) => text.replaceAll(`@${word}@`, () => value), template)
}

/**
 * @param {string} stage
 * @param {readonly string[]} files
 * @param {string} folder
 * @returns {string}
 */
function describeFolder(stage, files, folder) {
  const prefix = folder === '.' ? '' : `${folder}/`
  const inside = files.filter((path) => path.startsWith(prefix))
  const own = inside.filter((path) => dirname(path) === folder)
  const names = new Set(
    inside.filter((path) => dirname(path) !== folder).map((path) => path.slice(prefix.length).split('/')[0]),
  )
  return [
    ...own.map(
      (path) =>
        `<Component Id="${toId('c', path)}" Guid="${formatGuid(`component ${path}`)}" Win64="yes">` +
        `<File Id="${toId('f', path)}" Name="${escapeXml(path.slice(prefix.length))}" Source="${escapeXml(path)}" KeyPath="yes"/></Component>`,
    ),
    ...[...names].map((name) => {
      const path = `${prefix}${name}`
      return `<Directory Id="${toId('d', path)}" Name="${escapeXml(name ?? '')}">\n${describeFolder(stage, inside, path)}\n</Directory>`
    }),
  ].join('\n')
}

/** @param {string} text */
const escapeXml = (text) =>
  // A single dollar sign begins a variable of wixl.
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('$', '$$$$')

/** @param {string} kind @param {string} path */
function toId(kind, path) {
  return `${kind}${createHash('sha256').update(path).digest('hex').slice(0, 32)}`
}

/** @param {string} name */
function formatGuid(name) {
  const digits = createHash('sha256').update(`plumbline ${name}`).digest('hex').toUpperCase()
  const [a, b, c, d] = [digits.slice(0, 8), digits.slice(8, 12), digits.slice(13, 16), digits.slice(17, 20)]
  return `${a}-${b}-5${c}-A${d}-${digits.slice(20, 32)}`
}
