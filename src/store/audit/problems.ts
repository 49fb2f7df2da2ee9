import { createDiagnostic, type Diagnostic, defineIssues } from '../../base/issue.ts'

/** A problem found in an audit log. */
export interface AuditProblem {
  readonly diagnostic: Diagnostic
  readonly file: string | undefined
  readonly line: number | undefined
}

interface Place {
  readonly file: string
  readonly line: number
}

const issues = defineIssues({
  AUDIT_UNREADABLE: {
    text: (a: Place) => `${a.file}, line ${a.line}: the line is not a record`,
  },
  AUDIT_ALTERED: {
    text: (a: Place & { seq: number }) =>
      `${a.file}, line ${a.line}: record ${a.seq} was changed, or does not follow the previous record`,
  },
  AUDIT_ORDER: {
    text: (a: Place & { before: number; seq: number }) =>
      `${a.file}, line ${a.line}: found record ${a.seq} instead of record ${a.before + 1}: records were removed, added or moved`,
  },
  AUDIT_HEADING: {
    text: (a: Place) => `${a.file}, line ${a.line}: the segment does not continue the previous segment`,
  },
  AUDIT_HEAD_MISSING: {
    text: (a: { hash: string }) => `No valid record has the hash ${a.hash}`,
    hint: () => 'Records were removed or changed after this head was stored, or the head belongs to another server.',
  },
})

type Issues = typeof issues

function createProblemFactory<Arguments extends Place>(issue: { readonly code: string; text(a: Arguments): string }) {
  return (a: Arguments): AuditProblem => ({ diagnostic: createDiagnostic(issue, a), file: a.file, line: a.line })
}

/**
 * Functions that create the problems, one for each kind. A problem contains its file and line in
 * the log.
 */
export const auditProblems: {
  readonly unreadable: (a: Place) => AuditProblem
  readonly altered: (a: Parameters<Issues['AUDIT_ALTERED']['text']>[0]) => AuditProblem
  readonly order: (a: Parameters<Issues['AUDIT_ORDER']['text']>[0]) => AuditProblem
  readonly heading: (a: Place) => AuditProblem
  readonly headMissing: (a: { hash: string }) => AuditProblem
} = {
  unreadable: createProblemFactory(issues.AUDIT_UNREADABLE),
  altered: createProblemFactory(issues.AUDIT_ALTERED),
  order: createProblemFactory(issues.AUDIT_ORDER),
  heading: createProblemFactory(issues.AUDIT_HEADING),
  headMissing: (a) => ({
    diagnostic: createDiagnostic(issues.AUDIT_HEAD_MISSING, a),
    file: undefined,
    line: undefined,
  }),
}
