import { throwIssue } from '../../../base/issue.ts'
import { flattenArrays } from '../../values/flatten.ts'
import type { ClassType, ResourceType } from '../../values/type.ts'
import { isType } from '../../values/type.ts'
import { DEFAULT, type Value } from '../../values/value.ts'
import * as make from '../constructors.ts'
import { generalizeType } from '../generalize.ts'
import { inferType } from '../infer.ts'
import { getCapitalizedLabel, getLabelWithArticle } from '../printing/label.ts'
import { capitalizeSegments, printType } from '../printing/print.ts'
import { failAtKey, sliceIssues as issues } from './parameterize-issues.ts'

const typeName = /^((::)?[A-Z]\w*)(::[A-Z]\w*)*$/
const className = /^((::)?[a-z]\w*)(::[a-z]\w*)*$/

/** Evaluates `File['/x', '/y']`, `Resource['file', '/x']` and `Resource[File]`. */
export function createResourceReferences(base: ResourceType, args: readonly Value[]): Value {
  if (args.length === 0) failArity(printType(base))
  const titles = [...args]
  const name = base.typeName === undefined ? toTypeName(titles.shift()) : capitalizeSegments(base.typeName)
  if (!typeName.test(name)) failAtKey(0, issues.ILLEGAL_CLASSREF, { name })

  const several = titles.length > 1 || Array.isArray(titles[0])
  const flat = flattenPresent(titles)
  if (flat.length === 0) return titles.length === 0 ? make.createResourceType(name) : getEmptyResult(several)
  const references = flat.map((title, index) => {
    if (typeof title === 'string') return make.createResourceType(name, title)
    const message = `Cannot use ${toClassName(title)} where a resource title String is expected`
    return failAtKey(index, issues.BAD_TYPE_SPECIALIZATION, { type: getLabelWithArticle(base), message })
  })
  return several ? references : references[0]
}

/** Evaluates `Class['a', 'b']`. */
export function createClassReferences(base: ClassType, args: readonly Value[]): Value {
  if (args.length === 0) failArity(printType(base))
  const several = args.length > 1 || Array.isArray(args[0])
  const flat = flattenPresent(args)
  if (flat.length === 0) return getEmptyResult(several)
  const references = flat.map((name, index) => {
    if (typeof name !== 'string')
      return failAtKey(index, issues.ILLEGAL_HOSTCLASS_NAME, { what: getCapitalizedLabel(name) })
    const plain = name.toLowerCase().replace(/^::/, '')
    return className.test(plain) ? make.createClassType(plain) : failAtKey(index, issues.ILLEGAL_NAME, { name })
  })
  return several ? references : references[0]
}

/** Result if all keys are undef, which is valid: Puppet only logs EMPTY_RESOURCE_SPECIALIZATION at debug level. */
function getEmptyResult(several: boolean): Value {
  return several ? [] : undefined
}

function failArity(base: string): never {
  throwIssue(issues.BAD_TYPE_SLICE_ARITY, { base, min: 1, max: Number.POSITIVE_INFINITY, actual: 0 })
}

function flattenPresent(args: readonly Value[]): Value[] {
  return flattenArrays(args).filter((arg) => arg !== undefined)
}

function toTypeName(given: Value): string {
  if (typeof given === 'string') return capitalizeSegments(given)
  if (isType(given) && given.kind === 'Resource' && given.typeName !== undefined)
    return capitalizeSegments(given.typeName)
  return failAtKey(0, issues.ILLEGAL_RESOURCE_SPECIALIZATION, { actual: toClassName(given) })
}

function toClassName(value: Value): string {
  if (value === undefined) return 'Undef'
  return value === DEFAULT ? 'Default' : printType(generalizeType(inferType(value)))
}
