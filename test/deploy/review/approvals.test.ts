import { describe, expect, it } from 'vitest'
import { parseApprovalRules } from '../../../src/deploy/approvals/approval-rules.ts'
import type { Impact } from '../../../src/deploy/impact/impact-result.ts'
import type { NodeChange } from '../../../src/deploy/impact/node-change.ts'
import { findMatchingRules, type ReviewedChange } from '../../../src/deploy/review/approval-match.ts'

const none: NodeChange = {
  counts: { added: 0, removed: 0, changed: 0, moved: 0, edgesAdded: 0, edgesRemoved: 0 },
  ...{ added: [], removed: [], changed: [], edges: { added: [], removed: [] }, moved: [], classes: [], restarts: [] },
}
const counts = { unaffected: 0, same: 0, changed: 0, broken: 0, failing: 0, mended: 0, fresh: 0, unchecked: 0 }

/** An impact of one change on so many nodes. */
function impactOf(change: Partial<NodeChange>, nodes = 1, more: Partial<Impact> = {}): Impact {
  const names = Array.from({ length: nodes }, (_, at) => `web${at}`)
  return {
    ...{ environment: 'production', from: 'a', to: 'b', counts: { ...counts, changed: nodes } },
    changed: nodes === 0 ? [] : [{ nodes: names, change: { ...none, ...change } }],
    ...{
      unaffected: [],
      same: [],
      mended: [],
      fresh: [],
      unchecked: [],
      broken: [],
      failing: [],
      faults: [],
      exports: [],
    },
    ...{ compiled: 0, recalled: 0, ms: 0 },
    ...more,
  }
}

const matching = (rules: string, change: Partial<ReviewedChange>) =>
  findMatchingRules(parseApprovalRules(`rules:\n  it: ${rules}`), {
    ...{ environment: 'production', isNew: false, paths: ['README.md'], impact: undefined, untested: 0 },
    ...change,
  }).length > 0

describe('an approval rule', () => {
  it.each<[string, Partial<ReviewedChange>, boolean]>([
    ['{}', {}, true],
    ['{paths: [modules/firewall/]}', { paths: ['modules/firewall/manifests/a/b.pp'] }, true],
    ['{paths: [modules/firewall/]}', { paths: ['modules/firewalls/a.pp'] }, false],
    ["{paths: ['*.yaml']}", { paths: ['data/nodes/web.yaml'] }, true],
    ["{paths: ['*.yaml']}", { paths: ['.hidden/x.yaml'] }, true],
    ['{paths: [a]}', { paths: ['approvals.yaml'] }, true],
    ['{paths: [README.md], environments: [staging]}', {}, false],
    ['{paths: [README.md], environments: [prod*]}', {}, true],
    ['{}', { isNew: true }, false],
    ['{environments: [production]}', { isNew: true }, true],
    ['{impact: {more_than: 2}}', { impact: impactOf({}, 2) }, false],
    ['{impact: {more_than: 2}}', { impact: impactOf({}, 3) }, true],
    ['{impact: {more_than: 2}}', { impact: impactOf({}, 1), untested: 2 }, true],
    ['{impact: {more_than: 2}}', { impact: impactOf({}, 1, { unchecked: ['a', 'b'] }) }, true],
    ['{impact: {more_than: 0}}', {}, false],
    ['{impact: {more_than: 1000}}', { untested: undefined }, true],
    ['{impact: {classes: [firewall]}}', { impact: impactOf({ classes: ['firewall', 'web'] }) }, true],
    ["{impact: {classes: ['::Firewall']}}", { impact: impactOf({ classes: ['firewall'] }) }, true],
    ['{impact: {classes: [firewall]}}', { impact: impactOf({ classes: ['firewall::rules'] }) }, false],
    [
      "{impact: {resources: ['Service[*]']}}",
      { impact: impactOf({ removed: ['Service[ssh]'], counts: { ...none.counts, removed: 1 } }) },
      true,
    ],
    [
      "{impact: {resources: ['Service[ssh]']}}",
      { impact: impactOf({ removed: ['Service[s]'], counts: { ...none.counts, removed: 1 } }) },
      false,
    ],
    ["{impact: {resources: ['Service[ssh]']}}", { impact: impactOf({ counts: { ...none.counts, removed: 1 } }) }, true],
    ['{impact: {risks: [restarts]}}', { impact: impactOf({ restarts: ['Service[ssh]'] }) }, true],
    ['{impact: {risks: [packages]}}', { impact: impactOf({ restarts: ['Service[ssh]'] }) }, false],
    ['{impact: {risks: [packages]}}', { impact: impactOf({}, 0, { counts: { ...counts, broken: 1 } }) }, true],
    [
      '{impact: {risks: [secrets]}}',
      {
        impact: impactOf({
          counts: { ...none.counts, changed: 1 },
          changed: [
            { resource: 'File[/a]', parameters: [{ name: 'content', from: undefined, to: undefined, secret: true }] },
          ],
        }),
      },
      true,
    ],
  ])('%s with %o applies: %s', (rule, change, isMatching) => {
    expect(matching(rule, change)).toBe(isMatching)
  })

  it.each<[string, string]>([
    ['rules: []', 'rules must be a hash'],
    ['rule: {}', "'rule' of the file is unknown; known keys are rules"],
    ['rules: {Big: {}}', "'Big' is not a valid name of a rule"],
    ['rules: {a: {path: x}}', "'path' of a is unknown; known keys are environments, paths, impact, approvals, by"],
    ['rules: {a: {paths: {}}}', 'paths of a must be an array of strings'],
    ['rules: {a: {approvals: 0}}', 'approvals of a must be a whole number of at least 1'],
    ['rules: {a: {approvals: 1.0}}', 'approvals of a must be a whole number'],
    ["rules: {a: {by: ['@../secrets']}}", "'@../secrets' in by of a is neither an account nor a team"],
    ["rules: {a: {by: ['a/b']}}", 'is neither an account nor a team'],
    ['rules: {a: {by: []}}', 'by of a is empty'],
    [
      'rules: {a: {impact: {risks: [fire]}}}',
      "'fire' in risks of a is not one of restarts, services, packages, secrets",
    ],
    ['rules: {a: {impact: {more_than: -1}}}', 'more_than of a must be a whole number'],
    ['rules: {a: &a {}, b: *a}', 'alias'],
    ['rules: [', 'approvals.yaml'],
    [`rules: {a: {paths: ['${'*'.repeat(2000)}']}}`, 'paths of a must be an array of strings'],
    [`rules: {${Array.from({ length: 201 }, (_, at) => `r${at}: {}`).join()}}`, 'it contains more than 200 rules'],
    [`# ${'x'.repeat(70_000)}`, 'it exceeds 65536 characters'],
  ])('is rejected in %.60s', (text, why) => {
    expect(() => parseApprovalRules(text)).toThrow(why)
  })

  it('has defaults, and may be missing', () => {
    expect(parseApprovalRules('')).toEqual([])
    expect(parseApprovalRules('rules:')).toEqual([])
    expect(parseApprovalRules('rules: {a: }')).toMatchObject([{ name: 'a', approvals: 1, by: undefined, paths: [] }])
  })
})
