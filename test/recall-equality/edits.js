import { chosen, sample } from '../support/chance.js'
import { changedExports } from './export-edits.js'
import { changedFacts } from './fact-edits.js'
import { textEdits } from './text-edits.js'

/**
 * An edit that was made.
 *
 * @typedef {object} Edit
 * @property {string} kind
 * @property {string} about
 * @property {readonly string[]} paths Files that it changed.
 * @property {readonly string[]} nodes Nodes that it changed.
 * @property {() => void} undo
 */

/** Kinds of edits, each with its weight. What a world has nothing for is drawn again. */
const kinds = [
  [18, 'manifest', (world, chance) => fileEdit(world, 'manifest', chance)],
  [14, 'data', (world, chance) => fileEdit(world, 'data', chance)],
  [11, 'template', (world, chance) => fileEdit(world, 'template', chance)],
  [11, 'Ruby function', (world, chance) => fileEdit(world, 'ruby', chance)],
  [9, 'file content', (world, chance) => fileEdit(world, 'file', chance)],
  [11, 'fact', changedFacts],
  [7, 'classification', classified],
  [5, 'exported resource', changedExports],
  [5, 'new file', newFile],
  [5, 'rename', renamed],
  [4, 'delete', deleted],
]

const total = kinds.reduce((sum, [weight]) => sum + weight, 0)

/** @returns {Edit} */
export function editOnce(world, chance) {
  for (;;) {
    let at = chance(total)
    const [, kind, make] = kinds.find(([weight]) => {
      at -= weight
      return at < 0
    })
    const made = make(world, chance)
    if (made) return { paths: [], nodes: [], ...made, kind }
  }
}

/** The kind of a file by its path; other ones are nobody's. */
export function kindOf(path) {
  if (/\.pp$/.test(path)) return 'manifest'
  if (/\.(?:ya?ml|json)$/.test(path)) return 'data'
  if (/\.(?:erb|epp)$/.test(path)) return 'template'
  if (/(?:^|\/)lib\/.*\.rb$/.test(path)) return 'ruby'
  if (/(?:^|\/)files\//.test(path)) return 'file'
  return undefined
}

/** A file of a kind; six times in seven one of which some node's catalog tells. */
function fileOf({ code, readers }, kind, chance) {
  const some = [...code.paths].filter((path) => kindOf(path) === kind)
  const read = some.filter((path) => readers.has(path))
  if (kind === 'ruby' && chance(3) > 0) return chosenOr(some.filter(isFunction), some, chance)
  return chance(7) > 0 ? chosenOr(read, some, chance) : chosenOr(some, read, chance)
}

function isFunction(path) {
  return /\/lib\/puppet\/(?:functions|parser\/functions)\//.test(path)
}

function chosenOr(items, others, chance) {
  return items.length > 0 ? chosen(items, chance) : others.length > 0 ? chosen(others, chance) : undefined
}

function fileEdit(world, kind, chance) {
  const path = fileOf(world, kind, chance)
  if (path === undefined) return undefined
  const text = world.code.text(path)
  // What is no text stays as it is.
  if (text.includes('\uFFFD') || text.includes('\0')) return undefined
  const edit = chosen(textEdits[kind], chance)
  const made = edit(text, chance)
  return filesPut(world, new Map([[path, made]]), `${edit.name} in ${path}`)
}

function anyFile(world, chance) {
  return fileOf(world, chosen(['manifest', 'data', 'template', 'ruby', 'file'], chance), chance)
}

function renamed(world, chance) {
  const path = anyFile(world, chance)
  const other = path?.replace(/(\.\w+)?$/, `_moved${chance(100)}$1`)
  if (path === undefined || !world.code.hasRoomFor(other)) return undefined
  const edits = new Map([
    [other, world.code.text(path)],
    [path, undefined],
  ])
  return filesPut(world, edits, `${path} is ${other}`)
}

function deleted(world, chance) {
  const path = anyFile(world, chance)
  return path && filesPut(world, new Map([[path, undefined]]), path)
}

/** A file that was not there: of a node, of another class, another function. */
function newFile(world, chance) {
  const number = chance(1000)
  const beside = anyFile(world, chance)
  if (beside === undefined) return undefined
  const module = /^(.*\/([a-z]\w*))\/(?:manifests|lib|templates|files)\//.exec(beside)
  const node = chosen(world.nodes, chance).name
  const files = [
    ...(world.nodeData ? [[`${world.nodeData}/${node}.yaml`, `---\nnew_key_${chance(5)}: ${number}\n`]] : []),
    ...(module ? [[`${module[1]}/manifests/new${number}.pp`, `class ${module[2]}::new${number} { }\n`]] : []),
    ...(module ? [[`${module[1]}/files/new${number}.conf`, `new ${number}\n`]] : []),
    ...(module
      ? [[`${module[1]}/lib/puppet/functions/${module[2]}/new${number}.rb`, rubyFunction(`${module[2]}::new${number}`)]]
      : []),
    [beside.replace(/[^/]*$/, `README${number}.md`), 'Read me.\n'],
  ]
  const [path, text] = chosen(files, chance)
  if (!world.code.hasRoomFor(path) || world.code.paths.has(path)) return undefined
  return filesPut(world, new Map([[path, text]]), path)
}

const rubyFunction = (name) => `Puppet::Functions.create_function(:'${name}') do
  def ${name.split('::').at(-1)}(value)
    value
  end
end
`

function filesPut({ code }, files, about) {
  const before = [...files.keys()].map((path) => [path, code.text(path)])
  for (const [path, text] of files) code.put(path, text)
  return {
    about,
    paths: [...files.keys()],
    undo: () => {
      for (const [path, text] of before.reverse()) code.put(path, text)
    },
  }
}

/** Other parameters or classes of some nodes. */
function classified(world, chance) {
  const some = sample(world.nodes, chance(4) === 0 ? world.nodes.length : 1 + chance(3), chance)
  const before = some.map((node) => [node, node.parameters, node.classes])
  const name = chosen(world.parameters ?? ['owner', 'tier'], chance)
  const value = `value ${chance(20)}`
  for (const node of some) node.parameters = { ...node.parameters, [name]: value }
  return {
    about: `${name} of ${some.length} nodes`,
    nodes: some.map((node) => node.name),
    undo: () => {
      for (const [node, parameters, classes] of before) Object.assign(node, { parameters, classes })
    },
  }
}
