import { getOwnValue } from '../../../../base/own-property.ts'
import { compileLinearPattern } from '../../../../base/text/linear-pattern.ts'
import { inspectPlainValue } from '../../attribute-kinds.ts'
import { failWithFormError, failWithMessage } from '../../issues.ts'
import { defineProvider } from '../../provider.ts'
import { augeasType as type } from '../../types/augeas.ts'
import { formatUnifiedDiff } from '../file/diff.ts'
import { type AugeasCommand, parseCommands, parseTextList } from './augeas-commands.ts'
import { type AugeasWork, getContextFolder, parseMatchedNodes, runAugtool } from './augtool.ts'

const saved: AugeasCommand = ['match', '/augeas/events/saved']

/** Manages files with `augtool`. Changes are first made to copies; if these do not differ, the resource is in sync. */
export const augeas = defineProvider(type, 'augeas', {
  doc: 'Changes configuration files with `augtool`.',
  suitable: { commands: ['augtool'] },
  features: ['parse_commands', 'need_to_run?', 'execute_changes'],
  async read(work) {
    return { returns: (await needsRun(work)) ? 'need_to_run' : 0 }
  },
  set: {
    async returns(work) {
      if (work.resource.get('force') === true) await runChanges(work, [])
      await runChanges(work, [['set', '/augeas/save', 'overwrite'], ['save']])
    },
  },
  changeText: { returns: () => 'executed successfully' },
})

async function needsRun(work: AugeasWork): Promise<boolean> {
  const { resource, log } = work
  const warn = (printed: string | undefined) => {
    if (parseMatchedNodes(printed ?? '').length > 0)
      log('warning', 'Loading failed for one or more files, see debug for /augeas//error output', 'provider')
  }
  const errors: AugeasCommand = ['match', getErrorPath(work)]
  const question = resource.get('onlyif') ?? ''
  if (question !== '' && !(await evaluateOnlyif(work, question, errors, warn))) return false
  if (resource.get('force') === true) return true
  const first = question === '' ? { question: errors, tell: warn } : undefined
  const printed = await runChanges(work, [['set', '/augeas/save', 'newfile'], ['save'], saved], first)
  const paths = new Set(
    parseMatchedNodes(printed.at(-1) ?? '').map(({ value = '' }) => value.replace(/^\/files/, getRoot(work))),
  )
  for (const path of paths) await showDifference(work, path)
  return paths.size > 0
}

/**
 * Path in the Augeas tree of the errors in the files of a resource; matches nothing if the resource
 * can change any file.
 */
function getErrorPath({ resource }: AugeasWork): string {
  if (resource.has('incl')) return '/augeas//error'
  return `/augeas/files${getContextFolder(resource.get('context') ?? '') ?? '/none/'}error`
}

function getRoot({ resource }: AugeasWork): string {
  const root = resource.get('root') ?? '/'
  return root === '/' ? '' : root
}

/**
 * Runs a query, the changes and further commands on a tree. Returns the output of the further
 * commands.
 */
async function runChanges(
  work: AugeasWork,
  more: readonly AugeasCommand[],
  { question, tell }: { question: AugeasCommand; tell(printed: string | undefined): void } = {
    question: saved,
    tell: () => {},
  },
): Promise<readonly string[]> {
  const { resource } = work
  const changes = parseCommands(resource.get('changes') ?? [], resource.get('context') ?? '')
  for (const [name, ...params] of changes)
    if (getOwnValue(words, name) === undefined)
      failWithMessage(
        `Error sending command '${name}' with params ${inspectPlainValue(params)}/Command '${name}' is not supported`,
      )
  const own = changes.map(([name, ...rest]): AugeasCommand => [words[name]!, ...rest])
  const { printed, errors } = await runAugtool(work, [question, ...own, ...more])
  tell(printed[0])
  const isUnsaved = errors.includes('saving failed')
  if (countFailures(errors) > Number(isUnsaved)) await failOnFirstError(work, changes, own, printed.at(-1) ?? '')
  if (isUnsaved) failWithFormError('Save failed, see debug output for details')
  return printed.slice(own.length + 1)
}

function countFailures(errors: string): number {
  return errors.split('\n').filter((line) => line.startsWith('error: ')).length
}

/** Commands of augtool by the command names in manifests. */
const words: Readonly<Record<string, string>> = {
  set: 'set',
  setm: 'setm',
  rm: 'rm',
  remove: 'rm',
  clear: 'clear',
  clearm: 'clearm',
  touch: 'touch',
  insert: 'ins',
  ins: 'ins',
  defvar: 'defvar',
  defnode: 'defnode',
  mv: 'mv',
  move: 'mv',
  rename: 'rename',
}

/**
 * Throws an error for the first change that fails, and removes the copies that augtool saved
 * without this change. As in Puppet, a failed `set` is ignored.
 */
async function failOnFirstError(
  work: AugeasWork,
  changes: readonly AugeasCommand[],
  own: readonly AugeasCommand[],
  copies: string,
): Promise<void> {
  let before = 0
  for (const [index, [name, ...params]] of changes.entries()) {
    const { errors } = await runAugtool(work, own.slice(0, index + 1))
    const failures = countFailures(errors)
    if (failures > before && name !== 'set') {
      for (const { value = '' } of parseMatchedNodes(copies))
        await work.system.files.remove(`${value.replace(/^\/files/, getRoot(work))}.augnew`)
      const why = `Error sending command '${name}' with params ${inspectPlainValue(params)}`
      failWithMessage(`${why}/${why}`)
    }
    before = failures
  }
}

async function showDifference({ resource, system, settings, log }: AugeasWork, path: string): Promise<void> {
  const copy = `${path}.augnew`
  if (settings.show_diff && resource.get('show_diff') === true) {
    const [before, after] = [await system.files.read(path), await system.files.read(copy)]
    const level = resource.meta('loglevel') ?? 'notice'
    log(level, `\n${formatUnifiedDiff(path, before ?? Buffer.alloc(0), after ?? Buffer.alloc(0))}`, 'provider')
  }
  await system.files.remove(copy)
}

/** Evaluates `onlyif`, together with another query. */
async function evaluateOnlyif(
  work: AugeasWork,
  question: string,
  besides: AugeasCommand,
  tell: (printed: string | undefined) => void,
): Promise<boolean> {
  const context = work.resource.get('context') ?? ''
  const [[name, path = '', ...rest] = ['']] = parseCommands([question], context)
  const isKnown = name === 'get' || name === 'values' || name === 'match'
  const { printed } = await runAugtool(work, isKnown ? [besides, [name === 'get' ? 'get' : 'match', path]] : [besides])
  tell(printed[0])
  if (!isKnown) return true
  const answer = printed[1] ?? ''
  try {
    if (name === 'get') {
      const start = `${path} = `
      const value = answer.startsWith(start) ? answer.slice(start.length, -1) : ''
      return matchesValue(value, String(rest[0]), String(rest[1]))
    }
    const found = parseMatchedNodes(answer).map((node) => (name === 'match' ? node.path : (node.value ?? '')))
    const [clause = ['']] = parseCommands([String(rest[0])], context)
    return matchesList(found, clause)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    // As in Puppet, the message contains `[]` or `nil`, because the parameters were not parsed yet.
    return failWithMessage(`Error sending command '${name}' with params ${name === 'get' ? '[]' : 'nil'}/${why}`)
  }
}

function matchesValue(value: string, comparator: string, wanted: string): boolean {
  if (comparator === '=~') return compileLinearPattern(wanted).find(value) !== undefined
  if (comparator === '==') return value === wanted
  if (comparator === '!=') return value !== wanted
  const isNumber = (text: string) => /^[+-]?\d+(?:\.\d+)?$/.test(text)
  if (isNumber(value) && isNumber(wanted)) return isInOrder(Number(value), comparator, Number(wanted))
  return isInOrder(value, comparator, wanted)
}

function isInOrder<Each extends number | string>(a: Each, comparator: string, b: Each): boolean {
  if (comparator === '<') return a < b
  if (comparator === '<=') return a <= b
  return comparator === '>' ? a > b : a >= b
}

function matchesList(found: readonly string[], [verb, ...words]: AugeasCommand): boolean {
  if (verb === 'size') {
    const [comparator, size] = [String(words[0]), Number(words[1])]
    if (comparator === '==' || comparator === '!=') return (found.length === size) === (comparator === '==')
    return isInOrder(found.length, comparator, size)
  }
  if (verb === 'include') return found.includes(String(words[0]))
  if (verb === 'not_include') return !found.includes(String(words[0]))
  const wanted = parseTextList(String(words[0])) ?? failWithFormError('Invalid array in command: ')
  const isSame = found.length === wanted.length && found.every((each, index) => each === wanted[index])
  return isSame === (verb === '==')
}
