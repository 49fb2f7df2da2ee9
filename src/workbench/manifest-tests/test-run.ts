import { PuppetError } from '../../base/issue.ts'
import { compile } from '../../compiler/compile.ts'
import type { CompileRequest } from '../../compiler/request/compile-request.ts'
import { type Compiled, checkExpectations, type TestFailure } from './expectation-check.ts'
import type { GoldenFiles } from './golden-catalog.ts'
import { type ManifestTest, TestRecorder } from './test-recorder.ts'

/**
 * Lists the tests of the request's manifest. Throws CatalogError if the code outside the tests cannot be evaluated.
 */
export function listManifestTests(request: CompileRequest): readonly ManifestTest[] {
  const recorder = new TestRecorder()
  compile({ ...request, functions: recorder.functions })
  return recorder.tests
}

/** Compiles the catalog of one test, by its number from 0, and checks the test's expectations. */
export function runManifestTest(request: CompileRequest, test: number, golden: GoldenFiles): readonly TestFailure[] {
  const recorder = new TestRecorder(test)
  return checkExpectations(recorder.expectations, compileTest({ ...request, functions: recorder.functions }), golden)
}

function compileTest(request: CompileRequest): Compiled {
  try {
    return { catalog: compile(request).catalog }
  } catch (error) {
    if (error instanceof PuppetError) return { error }
    throw error
  }
}
