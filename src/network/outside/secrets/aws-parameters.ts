import { budgets } from '../../../base/budgets/budgets.ts'
import { throwIssue } from '../../../base/issue.ts'
import { createExactObject, type ExactJson, getMember } from '../../../base/json/exact-json.ts'
import { checkJsonObject, checkJsonString } from '../../../base/json/json-checks.ts'
import { formatExactJson } from '../../../base/json/json-text.ts'
import type { OutsideResponse } from '../outside-response.ts'
import { type AwsApi, type AwsCall, type AwsResponse, toAwsFailure } from './aws-api.ts'
import { secretFailures } from './issues.ts'
import { failMember, findVersionNumber, formatNumberedVersion, readText } from './secret-members.ts'
import { computeDigest } from './secret-question.ts'
import type { SecretStore } from './secret-store.ts'

const { secretTime, secretItems, secretPages } = budgets.outside

/**
 * Parameters in AWS Systems Manager, decrypted. The member `address` of a question is the region, and `path` the name of
 * a parameter. With the member `list`, the answer is all parameters below the path: `recursive`, or only its children.
 */
export function createAwsParameters(aws: AwsApi, ttlMs: number): SecretStore {
  return {
    async read(content) {
      const { address, path: given, list, version, credentials } = checkJsonObject(content, 'a request to AWS')
      const path = checkJsonString(given, 'a name')
      const call = (target: string, body: ExactJson): Promise<AwsResponse> => {
        const about: Pick<AwsCall, 'service' | 'credentials'> = { service: 'ssm', credentials }
        return aws.call({ ...about, target: `AmazonSSM.${target}`, region: checkJsonString(address, 'a region'), body })
      }
      if (list !== undefined) return listParameters(path, list === 'recursive', call, ttlMs)
      // A name may already select a version or a label.
      const number = findVersionNumber(version)
      const isSelected = number === undefined || path.slice(path.lastIndexOf('/')).includes(':')
      const name = isSelected ? path : `${path}:${number}`
      const response = await call('GetParameters', { Names: [name], WithDecryption: true })
      if (response.status !== 200) return toAwsFailure(response)
      const found = listMembers(response.body, 'Parameters')[0]
      if (found !== undefined)
        return { answer: { data: { text: readText(found, 'Value') }, version: readVersion(found) }, ttlMs }
      if (!listMembers(response.body, 'InvalidParameters').includes(name)) return failMember('Parameters')
      return { answer: { absent: true }, ttlMs }
    },
  }
}

/** Reads all pages; the digest of the names and versions is the version of the answer. */
async function listParameters(
  path: string,
  isRecursive: boolean,
  call: (target: string, body: ExactJson) => Promise<AwsResponse>,
  ttlMs: number,
): Promise<OutsideResponse> {
  const until = performance.now() + secretTime.bound
  const found: ExactJson[] = []
  let next: ExactJson | undefined
  let pages = 0
  do {
    const page = {
      Path: path,
      Recursive: isRecursive,
      WithDecryption: true,
      ...(next !== undefined && { NextToken: next }),
    }
    const response = await call('GetParametersByPath', page)
    if (response.status !== 200) return toAwsFailure(response)
    found.push(...listMembers(response.body, 'Parameters'))
    next = getMember(response.body, 'NextToken') ?? undefined
    if (found.length > secretItems.bound) throwIssue(secretFailures.SECRET_TOO_MANY, { most: secretItems.bound })
    if (++pages > secretPages.bound) throwIssue(secretFailures.SECRET_TOO_MANY_PAGES, { most: secretPages.bound })
    if (performance.now() > until) throwIssue(secretFailures.SECRET_TOO_SLOW, { seconds: secretTime.bound / 1000 })
  } while (next !== undefined && next !== '')
  const versions = found.map((each) => [readText(each, 'Name'), readVersion(each)])
  const data = createExactObject(found.map((each) => [readText(each, 'Name'), readText(each, 'Value')]))
  return { answer: { data, version: computeDigest(versions) }, ttlMs }
}

function listMembers(body: ExactJson | undefined, name: string): readonly ExactJson[] {
  const listed = getMember(body, name)
  return Array.isArray(listed) ? listed : failMember(name)
}

function readVersion(parameter: ExactJson): string {
  const [number, modified] = ['Version', 'LastModifiedDate'].map((name) => getMember(parameter, name))
  if (typeof number !== 'number' || !Number.isSafeInteger(number)) return failMember('Version')
  // The protocol has seconds since 1970; a number without a fraction may be written as a float.
  if (!Number.isFinite(Number(modified ?? Number.NaN))) return failMember('LastModifiedDate')
  return formatNumberedVersion(number, formatExactJson(modified!))
}
