// Response times of `plumb language-server` in a large control repository, with a node.
//   npm run bench:language-server [-- FOLDER [MANIFESTS]]
// FOLDER is a control repository, which is copied; without it, 300 modules with 3,000 manifests are generated. MANIFESTS
// of its files (40) are opened, edited and asked about, at the same places in each run.
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createProtocolConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node'

const main = process.env.PLUMB_MAIN ?? fileURLToPath(new URL('../dist/main.js', import.meta.url))
const [folder, given = '40'] = process.argv.slice(2)
const opened = Number(given)
/** Milliseconds until the server checks a document after a change. */
const pauseMs = 100
const requests = [
  ...['hover', 'completion', 'definition', 'references', 'documentHighlight', 'semanticTokens/full', 'inlayHint'],
  ...['documentSymbol', 'codeAction'],
]
/** @type {Map<string, number[]>} */
const times = new Map()
const temporary = mkdtempSync(join(tmpdir(), 'plumb-bench-language-server-'))
const root = join(temporary, 'code')
try {
  if (folder === undefined) generateRepository(root)
  else cpSync(folder, root, { recursive: true, verbatimSymlinks: true })
  const facts = join(temporary, 'facts.yaml')
  writeFileSync(
    facts,
    'os: { family: Debian, name: Debian, release: { major: "12" } }\nnetworking: { fqdn: web1.example.com }\n',
  )
  await measure(facts)
} finally {
  rmSync(temporary, { recursive: true, force: true })
}

/** @param {string} facts */
async function measure(facts) {
  const manifests = listManifests()
  const chosen = manifests.filter((_, index) => index % Math.ceil(manifests.length / opened) === 0)
  const data = listFiles(root, '.yaml').filter((path) => /\/(?:data|hieradata)\//.test(path))
  const started = performance.now()
  const child = spawn(process.execPath, [main, 'language-server', '--facts', facts], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const connection = createProtocolConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  )
  /** @type {Map<string, (() => void)[]>} */
  const waiting = new Map()
  connection.onNotification('textDocument/publishDiagnostics', ({ uri }) => {
    for (const each of waiting.get(uri)?.splice(0, 1) ?? []) each()
  })
  connection.onRequest('client/registerCapability', () => null)
  connection.listen()
  const published = (uri) =>
    new Promise((done) => waiting.set(uri, [...(waiting.get(uri) ?? []), () => done(undefined)]))
  await connection.sendRequest('initialize', {
    ...{ processId: null, rootUri: pathToFileURL(root).href },
    capabilities: { workspace: { didChangeWatchedFiles: { dynamicRegistration: true } } },
    workspaceFolders: [{ uri: pathToFileURL(root).href, name: 'code' }],
  })
  await connection.sendNotification('initialized', {})
  const random = createRandom()
  const first = openDocument(connection, chosen[0])
  await connection.sendRequest('textDocument/documentSymbol', { textDocument: { uri: first.uri } })
  console.log(`${manifests.length} manifests, ${data.length} files of data`)
  console.log(`first response: ${format(performance.now() - started)} ms`)
  await published(first.uri)
  console.log(`first diagnostics: ${format(performance.now() - started)} ms`)
  // References need every file, so that the response comes when all files are known.
  await ask(connection, 'references', first, random, false)
  console.log(`whole code: ${format(performance.now() - started)} ms, ${readMemory(child.pid)} of memory`)
  // The data of the node is opened with its first use.
  await ask(connection, 'inlayHint', first, random, false)
  for (const path of chosen) await exercise(connection, published, path, random)
  for (const path of data.slice(0, 10)) await typeKeystrokes(connection, published, path, 'data: ')
  printTable()
  console.log(
    `memory: ${readMemory(child.pid)}, maximum ${readMemory(child.pid, 'VmHWM')}; processor time: ${readProcessorTime(child.pid)}`,
  )
  await connection.sendRequest('shutdown')
  await connection.sendNotification('exit')
  connection.dispose()
  child.kill()
}

/** Edits a manifest and asks about it: with a fresh parse for each request, as while typing. */
async function exercise(connection, published, path, random) {
  const document = openDocument(connection, path)
  await published(document.uri)
  for (const name of requests)
    for (let count = 0; count < 3; count++) await ask(connection, name, document, random, true)
  await typeKeystrokes(connection, published, path, '', document)
  await connection.sendNotification('textDocument/didSave', { textDocument: { uri: document.uri } })
  await connection.sendNotification('workspace/didChangeWatchedFiles', { changes: [{ uri: document.uri, type: 2 }] })
  await ask(connection, 'hover', document, random, true, 'hover after a save')
  await ask(connection, 'inlayHint', document, random, true, 'inlayHint after a save')
  await connection.sendNotification('textDocument/didClose', { textDocument: { uri: document.uri } })
}

/** Times from a keystroke to the diagnostics, without the pause, and of a request while they are computed. */
async function typeKeystrokes(connection, published, path, label, document = openDocument(connection, path)) {
  for (let count = 0; count < 3; count++) {
    document.version++
    const text = `${document.text}\n# ${count}\n`
    const done = published(document.uri)
    const start = performance.now()
    await change(connection, document, text)
    await done
    note(`${label}diagnostics after a keystroke`, performance.now() - start - pauseMs)
    const hover = performance.now()
    await connection.sendRequest('textDocument/hover', {
      ...{ textDocument: { uri: document.uri }, position: { line: 0, character: 8 } },
    })
    note(`${label}hover while checking`, performance.now() - hover)
  }
}

function openDocument(connection, path) {
  const text = readFileSync(path, 'utf8')
  const uri = pathToFileURL(path).href
  void connection.sendNotification('textDocument/didOpen', {
    textDocument: { uri, languageId: path.endsWith('.pp') ? 'puppet' : 'yaml', version: 1, text },
  })
  return { uri, text, version: 1 }
}

function change(connection, { uri, version }, text) {
  return connection.sendNotification('textDocument/didChange', {
    ...{ textDocument: { uri, version }, contentChanges: [{ text }] },
  })
}

async function ask(connection, name, document, random, isNoted, label = name) {
  const { uri, text } = document
  document.version++
  await change(connection, document, `${text}\n# ${document.version}\n`)
  const position = choosePlace(text, random)
  const start = performance.now()
  await connection.sendRequest(`textDocument/${name}`, {
    ...{ textDocument: { uri }, position, context: { includeDeclaration: true, diagnostics: [] } },
    range: { start: { line: 0, character: 0 }, end: { line: 10_000, character: 0 } },
  })
  if (isNoted) note(label, performance.now() - start)
}

/** The place of a word. */
function choosePlace(text, random) {
  const words = [...text.matchAll(/[\w:]{3,}/g)]
  const word = words[random(words.length)]
  const before = text.slice(0, (word?.index ?? 0) + 1).split('\n')
  return { line: before.length - 1, character: before.at(-1).length }
}

/** Random integers below a number, the same in each run. */
function createRandom() {
  let state = 1
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return below === 0 ? 0 : state % below
  }
}

function note(name, milliseconds) {
  const list = times.get(name)
  if (list) list.push(milliseconds)
  else times.set(name, [milliseconds])
}

function printTable() {
  console.log(`${'milliseconds'.padEnd(34)} count  median     p95 maximum`)
  for (const [name, list] of times) {
    const sorted = list.toSorted((a, b) => a - b)
    const shown = [sorted[sorted.length >> 1], sorted[Math.floor(sorted.length * 0.95)], sorted.at(-1)]
    console.log(
      `${name.padEnd(34)} ${String(list.length).padStart(5)} ${shown.map((each) => format(each).padStart(7)).join(' ')}`,
    )
  }
}

function format(milliseconds) {
  return milliseconds.toFixed(1)
}

function readMemory(pid, name = 'VmRSS') {
  const [, kib] = new RegExp(`${name}:\\s*(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return `${Math.round(Number(kib) / 1024)} MiB`
}

/** Linux counts a hundred ticks a second. */
function readProcessorTime(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return `${((Number(fields[11]) + Number(fields[12])) / 100).toFixed(1)} s`
}

function listManifests() {
  return listFiles(root, '.pp').filter((path) => /\/(?:modules|site)\/\w+\/manifests\//.test(path))
}

function listFiles(from, extension) {
  const names = readdirSync(from, { recursive: true, withFileTypes: true })
  return names
    .filter((each) => each.isFile() && each.name.endsWith(extension))
    .map((each) => join(each.parentPath, each.name))
    .sort()
}

/** 300 modules of ten manifests each, a template and data. */
function generateRepository(to) {
  const write = (path, text) => {
    mkdirSync(dirname(join(to, path)), { recursive: true })
    writeFileSync(join(to, path), text)
  }
  write('environment.conf', 'modulepath = modules\n')
  write(
    'hiera.yaml',
    '---\nversion: 5\nhierarchy:\n  - name: os\n    path: "%{facts.os.family}.yaml"\n  - name: common\n    path: common.yaml\n',
  )
  const keys = []
  for (let at = 0; at < 300; at++) {
    const name = `module${at}`
    const other = `module${(at * 7 + 1) % 300}`
    keys.push(`${name}::servers: [a.example.com]`, `${name}::port: ${at + 1}`)
    write(`modules/${name}/metadata.json`, JSON.stringify({ name: `example-${name}`, version: '1.0.0' }))
    write(`modules/${name}/templates/main.erb`, '<%= @servers %> <%= @port %>\n')
    write(`modules/${name}/types/mode.pp`, `type Module${at}::Mode = Enum['slow', 'fast']\n`)
    write(`modules/${name}/manifests/init.pp`, generateClass(name, other, at))
    for (let part = 0; part < 8; part++) write(`modules/${name}/manifests/part${part}.pp`, generatePart(name, part))
    write(
      `modules/${name}/manifests/peer.pp`,
      `# A peer.\ndefine ${name}::peer(Integer $weight = 1) {\n  notify { "\${name} \${weight}": }\n}\n`,
    )
  }
  for (const file of ['common', 'Debian', 'RedHat']) write(`data/${file}.yaml`, `---\n${keys.join('\n')}\n`)
}

function generateClass(name, other, at) {
  const parts = Array.from({ length: 8 }, (_, part) => `  contain ${name}::part${part}\n`).join('')
  return `# Manages ${name}.
#
# @param servers Names of servers.
# @param port The port.
# @param mode The mode.
class ${name}(
  Array[String] $servers = [],
  Integer $port = ${at},
  Module${at}::Mode $mode = 'slow',
) {
  include ${other}
${parts}  file { '/etc/${name}.conf':
    ensure  => file,
    content => template('${name}/main.erb'),
  }
}
`
}

function generatePart(name, part) {
  const resources = Array.from(
    { length: 12 },
    (_, at) => `  file { "/etc/${name}/part${part}/${at}":
    ensure  => file,
    owner   => 'root',
    content => join($${name}::servers, ','),
    notify  => Service['${name}-${part}'],
  }
`,
  )
  return `# Part ${part} of ${name}.
class ${name}::part${part} {
  $path = "/etc/${name}/part${part}"
  ${name}::peer { "peer${part}": weight => ${part} }
${resources.join('')}  if $facts['os']['family'] == 'Debian' {
    package { '${name}-${part}': ensure => installed }
  }
  service { '${name}-${part}':
    ensure  => running,
    require => File["\${path}/1"],
  }
}
`
}
