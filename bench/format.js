// Every manifest of Debian's modules, formatted: files and megabytes per second, in rounds.
//   npm run bench:format [-- ROUNDS]
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { formatManifest } from '#built/workbench/format/format.js'

const rounds = Number(process.argv[2] ?? 3)
const files = execFileSync('find', ['-L', '/usr/share/puppet/modules', '-name', '*.pp'], { encoding: 'utf8' })
  .trim()
  .split('\n')
  .sort()
const sources = files.map((file) => ({ file, text: readFileSync(file, 'utf8') }))
const megabytes = sources.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0) / 1e6
const formatted = sources.map((source) => ({ file: source.file, text: format(source) }))
const changed = sources.filter(({ text }, index) => text !== formatted[index].text).length

console.log(`${files.length} manifests, ${megabytes.toFixed(1)} MB, ${changed} of them not formatted; time of one core`)
for (let round = 0; round < rounds; round++) {
  print('as they are', sources)
  print('formatted', formatted)
}

function format(source) {
  return formatManifest(source, { tasks: /\/plans\//.test(source.file) })
}

function print(what, texts) {
  const before = process.cpuUsage()
  for (const each of texts) format(each)
  const { user, system } = process.cpuUsage(before)
  const seconds = (user + system) / 1e6
  const rate = `${(files.length / seconds).toFixed(0)} files/s, ${(megabytes / seconds).toFixed(1)} MB/s`
  console.log(`${what}: ${seconds.toFixed(1)} s, ${rate}`)
}
