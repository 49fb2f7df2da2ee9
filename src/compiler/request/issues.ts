import { createDiagnostic, defineIssues, type Issue } from '../../base/issue.ts'
import type { SourceSpan } from '../../base/source.ts'
import { VerbatimError } from '../../language/values/verbatim-error.ts'
import { appendLocation } from './message-locations.ts'

/** Errors in catalogs, with Puppet's messages. Puppet: lib/puppet/parser and lib/puppet/resource. */
export const issues = defineIssues({
  DUPLICATE_RESOURCE: {
    text: (a: { resource: string; place: string; here: SourceSpan | undefined }) => {
      const at = a.place === '' ? '' : ` at ${a.place}`
      return appendLocation(`Duplicate declaration: ${a.resource} is already declared${at}; cannot redeclare`, a.here)
    },
  },
  TOO_MANY_RESOURCES: { text: (a: { most: number }) => `The catalog exceeds ${a.most} resources` },
  TOO_LARGE_EXPORTS: { text: (a: { most: number }) => `The exported resources of the catalog exceed ${a.most} bytes` },
  OUTSIDE_ANSWERS_TOO_LONG: {
    text: (a: { most: number }) => `The external answers for the catalog exceed ${a.most} characters`,
    hint: () => 'Query fewer fields (nodes[certname] { … }) or fewer rows (limit 100).',
  },
  TOO_MANY_OUTSIDE_QUESTIONS: {
    text: (a: { most: number }) => `The catalog exceeds ${a.most} distinct external requests`,
  },
  NO_WAY_OUTSIDE: { text: (_: object) => 'Network access is disabled here' },
  SECRET_CHANGED: {
    text: (a: { path: string }) => `The secret ${a.path} no longer has the version that is recorded in the inputs`,
  },
  MESSAGES_TOO_LONG: {
    text: (a: { most: number }) => `The log messages of the compilation exceed ${a.most} characters`,
  },
  TOO_MANY_MESSAGES: { text: (a: { most: number }) => `The compilation exceeds ${a.most} log messages` },
  DUPLICATE_ALIAS: {
    text: (a: {
      resource: string
      key: string
      reference: string
      place: string
      existing: SourceSpan | undefined
    }) => {
      const at = a.place === '' ? '' : ` at ${a.place}`
      return appendLocation(
        `Cannot alias ${a.resource} to ${a.key}${at}; resource ${a.reference} already declared`,
        a.existing,
      )
    },
  },
  REDEFINED_TYPE: {
    text: (a: { name: string; origin: string }) =>
      `Attempt to redefine entity 'http://puppet.com/2016.1/runtime/type/${a.name}'. ${a.origin}`,
  },
  DUPLICATE_DEFINITION: { text: (a: { message: string }) => a.message },
  NO_SUCH_RESOURCE_TYPE: {
    text: (a: { name: string; hint?: string }) => `Unknown resource type: '${a.name}'`,
    hint: (a) => a.hint,
  },
  UNKNOWN_CLASS: {
    text: (a: { name: string; node: string; hint?: string }) => `Could not find class ${a.name} for ${a.node}`,
    hint: (a) => a.hint,
  },
  UNDECLARED_CLASS: {
    text: (a: { name: string; hint: string | undefined }) => `Could not find declared class ${a.name}`,
    hint: (a) => a.hint,
  },
  RESERVED_NODE_PARAMETER: {
    text: (a: { name: string }) => `Attempt to assign to a reserved variable name: '${a.name}'`,
    hint: (a) => `A classifier or a fact sets it as '${a.name}'.`,
  },
  NUMERIC_NODE_PARAMETER: {
    text: (a: { name: string }) => `Cannot assign to a numeric match result variable '$${a.name}'`,
    hint: (a) => `A classifier or a fact sets it as '${a.name}'.`,
  },
  MODULE_NAME_AS_PARAMETER: {
    text: (_: object) => "Cannot reassign variable '$module_name'",
    hint: () => "A classifier or a fact sets it as 'module_name'.",
  },
  HIDDEN_FACT: {
    text: (a: { node: string; name: string; value: string; fact: string }) =>
      `The node parameter '${a.name}' for node '${a.node}' was already set to '${a.value}'. It could not be set to '${a.fact}'`,
  },
  UNKNOWN_PARENT: {
    text: (a: { parent: string; environment: string }) =>
      `Could not find parent resource type '${a.parent}' of type hostclass in ${a.environment}`,
  },
  ILLEGAL_JUMP: {
    text: (a: { name: string; place: string }) => `${a.name}() from context where this is illegal ${a.place}`,
  },
  NO_NODE_STATEMENT: {
    text: (a: { name: string }) => `Could not find node statement with name 'default' or '${a.name}'`,
  },
  UNKNOWN_STAGE: {
    text: (a: { stage: string; resource: string }) => `Could not find stage ${a.stage} specified by ${a.resource}`,
  },
  STAGE_OF_RESOURCE: {
    text: (a: { resource: string }) =>
      `Only classes can set 'stage'; normal resources like ${a.resource} cannot change run stage`,
  },
  UNKNOWN_PARAMETER: {
    text: (a: { name: string; resource: string; span: SourceSpan | undefined; hint: string | undefined }) =>
      appendLocation(`${appendLocation(`no parameter named '${a.name}'`, a.span)} on ${a.resource}`, a.span),
    hint: (a) => a.hint,
  },
  DUPLICATE_RESOURCE_DEFAULT: {
    text: (a: { type: string; parameter: string }) =>
      `Default already defined for ${a.type} { ${a.parameter} }; cannot redefine`,
  },
  OVERRIDE_BY_STRANGER: { text: () => 'Only subclasses can override parameters' },
  OVERRIDE_TOO_LATE: {
    text: (a: { place: string }) =>
      a.place === ''
        ? 'Attempt to override an already evaluated resource with new values'
        : `Attempt to override an already evaluated resource, defined at ${a.place}, with new values`,
  },
  ALREADY_SET: {
    text: (a: { name: string; resource: string; by: string; place: string }) =>
      `Parameter '${a.name}' is already set on ${a.resource}${a.by === '' ? '' : ` by ${a.by}`}${a.place === '' ? '' : ` at ${a.place}`}; cannot redefine`,
  },
  UNMATCHED_OVERRIDES: {
    text: (a: { resources: string }) => `Could not find resource(s) ${a.resources} for overriding`,
  },
  UNREALIZED: { text: (a: { resources: string }) => `Failed to realize virtual resources ${a.resources}` },
  MISSING_RELATIONSHIP_SOURCE: {
    text: (a: { source: string; target: string }) =>
      `Could not find resource '${a.source}' for relationship on '${a.target}'`,
  },
  MISSING_RELATIONSHIP_TARGET: {
    text: (a: { source: string; target: string }) =>
      `Could not find resource '${a.target}' for relationship from '${a.source}'`,
  },
  DANGLING_REFERENCE: {
    text: (a: { reference: string; parameter: string }) =>
      `Could not find resource '${a.reference}' in parameter '${a.parameter}'`,
  },
  INVALID_RELATIONSHIP: {
    text: (a: { resource: string; parameter: string; target: string; why: string }) =>
      `Invalid relationship: ${a.resource} { ${a.parameter} => ${a.target} }, because ${a.why}`,
  },
  ILLEGAL_REFERENCE: {
    text: (a: { text: string }) => `No title provided and ${JSON.stringify(a.text)} is not a valid resource reference`,
  },
  DUPLICATE_EXPORT: {
    text: (a: { resource: string }) =>
      `A duplicate resource was found while collecting exported resources, with the type and title ${a.resource}`,
    hint: () => 'Export the resource with a unique title on each node, such as one that contains the certname.',
  },
  CLASSES_NOT_COLLECTED: { text: () => 'Classes cannot be collected' },
  UNKNOWN_COLLECTED_TYPE: { text: (a: { name: string }) => `Resource type ${a.name} doesn't exist` },
  ILLEGAL_QUERY: { text: (a: { kind: string }) => `Cannot transform object of class ${a.kind}` },
  NUMBER_AS_TAG: { text: () => 'Cannot transform a number to a tag' },
  TOO_MANY_ROUNDS: { text: () => 'Somehow looped more than 1000 times while evaluating host catalog' },
  TITLE_MISMATCH: { text: (a: { title: string }) => `No set of title patterns matched the title "${a.title}".` },
  MISSING_TITLE_PATTERNS: {
    text: () => 'you must specify title patterns when there are two or more key attributes',
  },
  MISSING_METADATA: {
    text: (a: { source: string; resource: string }) =>
      `Could not get metadata for ${a.source}, the source of ${a.resource}`,
    hint: () => 'Only this resource will fail on its node.',
  },
  PARAMETER_MISMATCH: {
    text: (a: { message: string; hint: string | undefined }) => a.message,
    hint: (a) => a.hint,
  },
})

/** Throws an issue with the location in its message, without a column, as Puppet does outside of its evaluator. */
export function failWithLocation<Arguments>(issue: Issue<Arguments>, a: Arguments, span?: SourceSpan): never {
  const diagnostic = createDiagnostic(issue, a)
  throw new VerbatimError({ ...diagnostic, message: appendLocation(diagnostic.message, span) })
}
