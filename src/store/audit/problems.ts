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
    text: (a: Place) => `${a.file}, line ${a.line}: this is no record`,
  },
  AUDIT_ALTERED: {
    text: (a: Place & { seq: number }) =>
      `${a.file}, line ${a.line}: record ${a.seq} is not what was written, or not what was written after the one before it`,
  },
  AUDIT_ORDER: {
    text: (a: Place & { before: number; seq: number }) =>
      `${a.file}, line ${a.line}: record ${a.seq} stands where record ${a.before + 1} should: records were removed, added or moved`,
  },
  AUDIT_HEADING: {
    text: (a: Place) => `${a.file}, line ${a.line}: the segment does not begin with what it continues`,
  },
  AUDIT_HEAD_MISSING: {
    text: (a: { hash: string }) => `No sound record has the hash ${a.hash}`,
    hint: () => 'Records were cut off or changed since that head was kept, or it is the head of another server.',
  },
})

type Issues = typeof issues

function createProblemFactory<Arguments extends Place>(issue: { readonly code: string; text(a: Arguments): string }) {
  return (a: Arguments): AuditProblem => ({ diagnostic: createDiagnostic(issue, a), file: a.file, line: a.line })
}

/** Functions that create each kind of problem, with its file and line in the log. */
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
