import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { compareCodeUnits } from '../../base/text/code-unit-order.ts'
import type { ServableTree } from '../../code/environments/servable-tree.ts'
import { walkFiles } from '../../code/environments/tree-walk.ts'
import { sortByName } from './by-name.ts'
import { readManifest } from './manifest.ts'
import type { DocItem, ModuleDocs } from './model.ts'
import { RubyItems } from './ruby-definitions/ruby-items.ts'
import type { RubyParser } from './ruby-source/ruby-tree.ts'
import { readTask } from './task.ts'

const issues = defineIssues({
  DOCUMENTED_FILE_SIZE: { text: (a: { file: string; most: number }) => `${a.file} exceeds ${a.most} bytes` },
  DOCUMENTED_FILES: { text: (a: { most: number }) => `The module has more than ${a.most} files of code` },
})

/** The files of a module that can contain documentation, in the order in which puppet-strings reads them. */
const searches = [
  { folder: 'manifests', extension: '.pp', isDeep: true },
  { folder: 'functions', extension: '.pp', isDeep: true },
  { folder: 'types', extension: '.pp', isDeep: true },
  { folder: 'lib', extension: '.rb', isDeep: true },
  { folder: 'tasks', extension: '.json', isDeep: false },
  { folder: 'plans', extension: '.pp', isDeep: true },
] as const

/**
 * Reads the documentation of a module. `openRuby` starts a parser for Ruby; it is called only if a file needs it. Throws
 * the first syntax error of a file.
 */
export function readModuleDocs(tree: ServableTree, openRuby: () => RubyParser): ModuleDocs {
  const items = new Map<string, DocItem & { readonly kind: string }>()
  const ruby = new RubyItems(openRuby)
  for (const file of listFiles(tree)) {
    const source = { file: `${tree.root}/${file}`, text: readText(tree, file) }
    if (file.endsWith('.rb')) ruby.readFile(source.text, file)
    else if (file.endsWith('.json')) addItem(items, readTask(source, file))
    else for (const item of readManifest(source, file)) addItem(items, item)
  }
  const found = ruby.list()
  const list = <Item extends DocItem & { readonly kind: string }>(kind: Item['kind'], others: readonly Item[] = []) =>
    sortByName([...[...items.values()].filter((item): item is Item => item.kind === kind), ...others])
  return {
    classes: list('class'),
    definedTypes: list('defined type'),
    plans: list('plan'),
    functions: list('function', found.functions),
    typeAliases: list('type alias'),
    dataTypes: list('data type', found.dataTypes),
    resourceTypes: list('resource type', found.resourceTypes),
    providers: list('provider', found.providers),
    tasks: list('task'),
  }
}

function listFiles(tree: ServableTree): readonly string[] {
  const files = searches.flatMap(({ folder, extension, isDeep }) =>
    [...walkFiles(tree, folder, (name) => !name.startsWith('.'))]
      .map(({ path }) => path)
      .filter((path) => path.endsWith(extension) && (isDeep || path.split('/').length === 2))
      .sort((a, b) => a.length - b.length || compareCodeUnits(a, b)),
  )
  const most = budgets.documentation.files.bound
  return files.length > most ? throwIssue(issues.DOCUMENTED_FILES, { most }) : files
}

function readText(tree: ServableTree, file: string): string {
  const most = budgets.documentation.file.bound
  const location = tree.locate(file)
  if (location?.kind === 'file' && location.size > most) throwIssue(issues.DOCUMENTED_FILE_SIZE, { file, most })
  const text = tree.readText(file) ?? ''
  return text.startsWith('\ufeff') ? text.slice(1) : text
}

/** Adds an item. The first definition of a name remains, with the comment of the last one, as in puppet-strings. */
function addItem<Item extends DocItem & { readonly kind: string }>(
  items: Map<string, Item>,
  item: Item | undefined,
): void {
  if (item === undefined) return
  const key = `${item.kind} ${item.name}`
  const known = items.get(key)
  items.set(key, known === undefined ? item : { ...known, docstring: item.docstring })
}
