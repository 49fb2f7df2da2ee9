import { defineIssues } from '../../base/issue.ts'

/** Issues of test manifests. */
export const manifestTestIssues = defineIssues({
  TEST_NESTED: {
    text: (a: { name: string }) => `Test '${a.name}' is inside another test`,
    hint: () => 'Close the block of the first test before the second one.',
  },
  TEST_OUTSIDE: {
    text: (a: { name: string }) => `${a.name}() is called outside a test`,
    hint: () => "Call it in the block of test('…') || { … }.",
  },
  TEST_ROOT_ABSENT: {
    text: (a: { file: string }) => `${a.file} is not in a module or a control repository`,
    hint: () => 'A module has a metadata.json, a control repository an environment.conf.',
  },
  TEST_METADATA: { text: (a: { file: string; why: string }) => `Could not read ${a.file}: ${a.why}` },
  TEST_CYCLE: { text: (a: { report: string }) => a.report },
  TESTS_TOO_MANY: {
    text: (a: { most: number }) => `A file contains more than ${a.most} tests`,
    hint: () => 'Divide the file.',
  },
})
