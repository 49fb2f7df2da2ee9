import { createDiagnostic, defineIssues, type Issue, isCatalogIssue, PuppetError } from '../../../base/issue.ts'
import type { SourceSpan } from '../../../base/source.ts'
import { validationIssues } from '../../syntax/issues/validation.ts'

const ownIssues = defineIssues({
  BAD_TYPE_SLICE_ARITY: {
    text: ({ base, min, max, actual }: { base: string; min: number; max?: number; actual: number }) => {
      if (max === Number.POSITIVE_INFINITY) return `${base}[] accepts ${min} or more arguments. Got ${actual}`
      if (max !== undefined && max !== min) return `${base}[] accepts ${min} to ${max} arguments. Got ${actual}`
      return `${base}[] accepts ${min} argument${min === 1 ? '' : 's'}. Got ${actual}`
    },
  },
  BAD_TYPE_SLICE_TYPE: {
    text: ({ base, actual }: { base: string; actual: string }) => `${base}[] arguments must be types. Got ${actual}`,
  },
  BAD_TYPE_SPECIALIZATION: {
    text: ({ type, message }: { type: string; message: string }) =>
      `Error creating type specialization of ${type}, ${message}`,
  },
  BAD_NOT_UNDEF_SLICE_TYPE: {
    text: ({ base, actual }: { base: string; actual: string }) =>
      `${base}[] argument must be a Type or a String. Got ${actual}`,
  },
  BAD_INTEGER_SLICE_ARITY: {
    text: ({ kind, actual }: { kind: string; actual: number }) =>
      `${kind}-Type supports [] with one or two arguments (from, to). Got ${actual}`,
  },
  BAD_INTEGER_SLICE_TYPE: {
    text: ({ kind, numbers, actual }: { kind: string; numbers: string; actual: string }) =>
      `${kind}-Type [] requires all arguments to be ${numbers} (or default). Got ${actual}`,
  },
  BAD_COLLECTION_SLICE_TYPE: {
    text: ({ actual }: { actual: string }) =>
      `A Type's size constraint arguments must be a single Integer type, or 1-2 integers (or default). Got ${actual}`,
  },
  BAD_STRING_SLICE_ARITY: {
    text: ({ actual }: { actual: number }) => `String supports [] with one or two arguments. Got ${actual}`,
  },
  ILLEGAL_RESOURCE_SPECIALIZATION: {
    text: ({ actual }: { actual: string }) =>
      `First argument to Resource[] must be a resource type or a String. Got ${actual}.`,
  },
  ILLEGAL_HOSTCLASS_NAME: {
    text: ({ what }: { what: string }) =>
      `Illegal Class name in class reference. ${what} cannot be used where a String is expected`,
  },
  ILLEGAL_NAME: {
    text: ({ name }: { name: string }) =>
      `Illegal name. The given name '${name}' does not conform to the naming rule /^((::)?[a-z_]\\w*)(::[a-z]\\w*)*$/`,
  },
  UNKNOWN_RESOURCE_TYPE: {
    text: ({ name }: { name: string; hint?: string | undefined }) => `Resource type not found: ${name}`,
    hint: ({ hint }) => hint,
  },
  OPERATOR_NOT_APPLICABLE: {
    text: ({ operator, what }: { operator: string; what: string }) =>
      `Operator '${operator}' is not applicable to ${what}.`,
  },
})

/** Errors about type parameters. Puppet: pops/issues.rb. */
export const sliceIssues = { ...ownIssues, ILLEGAL_CLASSREF: validationIssues.ILLEGAL_CLASSREF } as const

/** Spans of `Type[a, b]`: the whole expression and each argument. */
export interface SlicePlace {
  readonly whole: SourceSpan
  readonly keys: readonly SourceSpan[]
}

/** Throws an issue about one argument, by index. */
export function failAtKey<Arguments>(index: number, issue: Issue<Arguments>, a: Arguments): never {
  throw new KeyError(index, issue, a)
}

/** Runs `work`. Its issues get the span of the argument that they name, or of the whole expression. */
export function locateSliceIssues<Result>(place: SlicePlace | undefined, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (!place || !isCatalogIssue(error, sliceIssues) || error.diagnostic.span) throw error
    const key = error instanceof KeyError ? place.keys[error.index] : undefined
    throw new PuppetError({ ...error.diagnostic, span: key ?? place.whole }, { cause: error })
  }
}

class KeyError<Arguments> extends PuppetError {
  readonly index: number

  constructor(index: number, issue: Issue<Arguments>, a: Arguments) {
    super(createDiagnostic(issue, a))
    this.index = index
  }
}
