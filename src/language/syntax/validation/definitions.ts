import { validationIssues as issues } from '../issues/validation.ts'
import { getChildren } from '../tree/children.ts'
import type {
  AnyNode,
  Definition,
  Expression,
  FunctionDefinition,
  HostClassDefinition,
  NodeDefinition,
  Parameter,
  PlanDefinition,
  Program,
  ResourceTypeDefinition,
  TypeMapping,
} from '../tree/nodes.ts'
import type { ValidationContext, ValidationRules } from './context.ts'
import { checkHostname } from './hostname.ts'
import { findModuleNamespace } from './module-namespace.ts'
import { findIneffectiveStatement, isUntitledResource } from './side-effects.ts'

/** Rules for definitions and their parameters. Puppet: checker4_0.rb. */
export const definitionRules: ValidationRules = {
  Program: checkTopConstructs,
  HostClassDefinition: checkClassOrDefine,
  ResourceTypeDefinition: checkClassOrDefine,
  FunctionDefinition: checkFunctionOrPlan,
  PlanDefinition: checkFunctionOrPlan,
  NodeDefinition(node, context) {
    for (const each of node.hostMatches) checkHostname(each, node, context)
    checkTopLevel(node, context)
    checkLastStatement(node, context)
    if (node.parent) context.accept(issues.ILLEGAL_NODE_INHERITANCE, {}, node.parent)
  },
  TypeAlias(node, context) {
    checkTopLevel(node, context)
    const { name } = node
    if (!/^[A-Z]\w*(?:::[A-Z]\w*)*$/.test(name)) context.accept(issues.ILLEGAL_DEFINITION_NAME, { name, node }, node)
    checkReservedTypeName(node, name, context)
    checkTypeReference(node, node.type, context)
  },
  TypeDefinition(node, context) {
    checkTopLevel(node, context)
    checkReservedTypeName(node, node.name, context)
    context.accept(issues.UNSUPPORTED_EXPRESSION, { node }, node)
  },
  TypeMapping: checkTypeMapping,
  Lambda(node, context) {
    for (const each of node.parameters.slice(0, -1))
      if (each.capturesRest) context.accept(issues.CAPTURES_REST_NOT_LAST, { name: each.name }, each)
    if (node.returnType) checkTypeReference(node, node.returnType, context)
  },
  Epp(node, context) {
    const lambda = context.ancestor(1)
    if (lambda?.kind !== 'Lambda') return
    rejectCapturesRest(lambda.parameters, node, context)
    checkUniqueNames(lambda.parameters, context)
  },
  Parameter(node, context) {
    const { name, value } = node
    if (/^(?:0x)?[0-9]+$/.test(name)) context.accept(issues.ILLEGAL_NUMERIC_PARAMETER, { name }, node)
    if (!/^[a-z_]\w*$/.test(name)) context.accept(issues.ILLEGAL_PARAM_NAME, { name }, node)
    if (value) rejectAssignments(value, context)
  },
}

type Named = HostClassDefinition | ResourceTypeDefinition | FunctionDefinition | PlanDefinition

function checkClassOrDefine(node: HostClassDefinition | ResourceTypeDefinition, context: ValidationContext): void {
  checkName(node, context)
  rejectCapturesRest(node.parameters, node, context)
  checkUniqueNames(node.parameters, context)
  for (const each of node.parameters)
    if (each.name === 'name' || each.name === 'title')
      context.accept(issues.RESERVED_PARAMETER, { name: each.name, container: node }, each)
  checkLastStatement(node, context)
}

function checkFunctionOrPlan(node: FunctionDefinition | PlanDefinition, context: ValidationContext): void {
  checkName(node, context)
  if (node.returnType) checkTypeReference(node, node.returnType, context)
  checkUniqueNames(node.parameters, context)
}

function checkName(node: Named, context: ValidationContext): void {
  const { name } = node
  checkTopLevel(node, context)
  if (!/^[a-z]\w*(?:::[a-z]\w*)*$/.test(name)) context.accept(issues.ILLEGAL_DEFINITION_NAME, { name, node }, node)
  checkFileLocation(node, context)
  checkReservedTypeName(node, name, context)
  checkFutureReservedWord(node, name, context)
}

/** Checks that a definition is at the top level. Some kinds may also be directly in a class. */
function checkTopLevel(node: Definition, context: ValidationContext): void {
  for (let level = 1; ; level++) {
    const around = context.ancestor(level)
    switch (around?.kind) {
      case undefined:
      case 'Apply':
      case 'HostClassDefinition':
      case 'Program':
        return
      case 'Block':
        if (!needsVeryTop.has(node.kind) || context.ancestor(level + 1)?.kind === 'Program') break
        context.accept(issues.NOT_ABSOLUTE_TOP_LEVEL, { node }, node)
        return
      default:
        context.accept(issues.NOT_TOP_LEVEL, {}, node)
        return
    }
  }
}

const needsVeryTop: ReadonlySet<AnyNode['kind']> = new Set<AnyNode['kind']>([
  ...(['FunctionDefinition', 'PlanDefinition', 'TypeAlias', 'TypeDefinition'] as const),
])

const reservedTypeNames: ReadonlySet<string> = new Set([
  ...['type', 'any', 'unit', 'scalar', 'boolean', 'numeric', 'integer', 'float', 'collection', 'array', 'hash'],
  ...['tuple', 'struct', 'variant', 'optional', 'enum', 'regexp', 'pattern', 'runtime', 'init', 'object'],
  ...['sensitive', 'semver', 'semverrange', 'string', 'timestamp', 'timespan', 'typeset'],
])

function checkReservedTypeName(node: Definition, name: string, context: ValidationContext): void {
  if (reservedTypeNames.has(name)) context.accept(issues.RESERVED_TYPE_NAME, { name, node }, node)
}

function checkFutureReservedWord(node: AnyNode, word: string, context: ValidationContext): void {
  if (word === 'plan') context.accept(issues.FUTURE_RESERVED_WORD, { word }, node, 'deprecation')
}

function checkFileLocation(node: Named, context: ValidationContext): void {
  const { moduleFile } = context.options
  if (moduleFile === undefined) return
  const namespace = findModuleNamespace(moduleFile)
  if (typeof namespace === 'string' && node.name.toLowerCase().startsWith(namespace)) return
  const file = node.span.source.file ?? moduleFile
  context.accept(issues.ILLEGAL_DEFINITION_LOCATION, { name: node.name, file }, node)
}

/** Checks that a module's manifest has only definitions at its top level. */
function checkTopConstructs({ body }: Program, context: ValidationContext): void {
  if (context.options.moduleFile === undefined || body.kind === 'Nop') return
  for (const node of body.kind === 'Block' ? body.statements : [body])
    if (!moduleConstructs.has(node.kind)) context.accept(issues.ILLEGAL_TOP_CONSTRUCT_LOCATION, { node }, node)
}

const moduleConstructs: ReadonlySet<AnyNode['kind']> = new Set<AnyNode['kind']>([
  ...(['HostClassDefinition', 'ResourceTypeDefinition', 'FunctionDefinition', 'PlanDefinition'] as const),
  ...(['TypeAlias', 'TypeDefinition', 'TypeMapping'] as const),
])

function checkLastStatement(node: Definition & { readonly body: Expression }, context: ValidationContext): void {
  const last = findIneffectiveStatement((node as HostClassDefinition | NodeDefinition).body)
  if (last && !isUntitledResource(last))
    context.accept(issues.IDEM_NOT_ALLOWED_LAST, { node: last, container: node }, last)
}

function rejectCapturesRest(parameters: readonly Parameter[], container: AnyNode, context: ValidationContext): void {
  for (const each of parameters)
    if (each.capturesRest) context.accept(issues.CAPTURES_REST_NOT_SUPPORTED, { name: each.name, container }, each)
}

function checkUniqueNames(parameters: readonly Parameter[], context: ValidationContext): void {
  const known = new Set<string>()
  for (const each of parameters) {
    if (known.has(each.name)) context.accept(issues.DUPLICATE_PARAMETER, { name: each.name }, each)
    known.add(each.name)
  }
}

function rejectAssignments(node: AnyNode, context: ValidationContext): void {
  if (node.kind === 'Assignment') context.accept(issues.ILLEGAL_ASSIGNMENT_CONTEXT, {}, node)
  else if (node.kind !== 'Lambda') for (const each of getChildren(node)) rejectAssignments(each, context)
}

function checkTypeReference(container: AnyNode, type: Expression, context: ValidationContext): void {
  const name = type.kind === 'Access' ? type.left : type
  if (name.kind === 'QualifiedReference') checkFutureReservedWord(type, name.casedValue.toLowerCase(), context)
  else context.accept(issues.ILLEGAL_EXPRESSION, { node: type, feature: 'a type reference', container }, type)
}

/** Checks `type Runtime[ruby, 'X'] = Type`, and the form with a pattern and its replacement on both sides. */
function checkTypeMapping(node: TypeMapping, context: ValidationContext): void {
  checkTopLevel(node, context)
  const { type, mapping } = node
  const isRuntime =
    type.kind === 'Access' && type.left.kind === 'QualifiedReference' && type.left.casedValue === 'Runtime'
  if (!isRuntime) {
    context.accept(issues.UNSUPPORTED_EXPRESSION, { node }, node)
    return
  }
  const byPattern = type.keys.length === 2 && isReplacement(type.keys[1]!)
  const fits = byPattern ? isReplacement(mapping) : isTypeReference(mapping)
  if (!fits)
    context.accept(issues.ILLEGAL_TYPE_MAPPING, { node, expected: byPattern ? 'Tuple[Regexp,String]' : 'Type' }, node)
}

function isReplacement(node: Expression): boolean {
  if (node.kind !== 'LiteralList') return false
  const [pattern, text, more] = node.values
  return pattern?.kind === 'LiteralRegexp' && text?.kind === 'LiteralString' && more === undefined
}

function isTypeReference(node: Expression): boolean {
  return (node.kind === 'Access' ? node.left : node).kind === 'QualifiedReference'
}
