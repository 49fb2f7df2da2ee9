import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defineCloudFacts } from '../../../../src/node/facts/core/cloud.ts'
import { recordedMachine } from '../../../support/recorded-machine.ts'

/** The metadata services of three clouds, by path; Amazon's gives nothing without the token that it gave. */
const amazon: Readonly<Record<string, string>> = {
  '/latest/meta-data/': 'ami-id\niam/\npublic-keys/\n',
  '/latest/meta-data/ami-id': 'ami-1\n',
  '/latest/meta-data/iam/': 'info\nsecurity-credentials/\n',
  '/latest/meta-data/iam/info': '{}',
  '/latest/meta-data/iam/security-credentials/': 'role',
  '/latest/meta-data/public-keys/': '0=my-key\n',
  '/latest/meta-data/public-keys/0/': 'openssh-key\n',
  '/latest/meta-data/public-keys/0/openssh-key': 'ssh-rsa AAA\n',
  '/latest/user-data/': '#!/bin/sh\n',
}
const google = JSON.stringify({
  instance: {
    zone: 'projects/1/zones/europe-west1-b',
    machineType: 'projects/1/machineTypes/n1',
    networkInterfaces: [{ network: 'projects/1/networks/default' }],
    attributes: { 'ssh-keys': 'a:ssh-rsa A\nb:ssh-rsa B\n' },
  },
  project: { projectId: 'p' },
})

const asked: string[] = []
const service = createServer(({ url = '', method, headers }, answer) => {
  asked.push(url)
  const isAllowed = headers['x-aws-ec2-metadata-token'] === 'T'
  const found =
    method === 'PUT'
      ? 'T'
      : url.startsWith('/latest/')
        ? (isAllowed && amazon[url]) || undefined
        : url.startsWith('/metadata/') && headers['metadata'] === 'true'
          ? '{"compute": {"name": "vm1"}}'
          : headers['metadata-flavor'] === 'Google'
            ? google
            : undefined
  answer.writeHead(found === undefined ? 404 : 200).end(found)
})

describe('what clouds say of their machines', () => {
  let port = 0
  beforeAll(async () => {
    await new Promise<void>((ready) => service.listen(0, '127.0.0.1', ready))
    port = (service.address() as AddressInfo).port
  })
  afterAll(() => service.close())

  // Without the signal that ends what takes long: the first fetch of a busy process may take longer than Amazon is given.
  const facts = defineCloudFacts((url, init) =>
    fetch(url.replace(/^http:\/\/[^/]+/, `http://127.0.0.1:${port}`), { ...init, signal: null }),
  )
  const dmi = (name: string, text: string) => ({ [`/sys/class/dmi/id/${name}`]: text })

  it('is a tree of texts with Amazon', async () => {
    expect(await facts.find(recordedMachine({ files: dmi('bios_vendor', 'Amazon EC2') }))).toEqual({
      'cloud.provider': 'aws',
      ec2_metadata: {
        'ami-id': 'ami-1',
        iam: { info: '{}' },
        'public-keys': { '0': { 'openssh-key': 'ssh-rsa AAA' } },
      },
      ec2_userdata: '#!/bin/sh',
    })
    expect(asked.filter((url) => url.includes('security-credentials'))).toEqual([])
  })

  it('is one JSON with Google, whose paths are shortened', async () => {
    const { 'cloud.provider': provider, gce } = await facts.find(
      recordedMachine({ files: dmi('bios_vendor', 'Google') }),
    )
    expect(provider).toBe('gce')
    expect(gce).toMatchObject({
      instance: {
        zone: 'europe-west1-b',
        machineType: 'n1',
        networkInterfaces: [{ network: 'default' }],
        attributes: { 'ssh-keys': ['a:ssh-rsa A', 'b:ssh-rsa B'] },
      },
    })
  })

  it('is one JSON with Azure', async () => {
    const machine = recordedMachine({ files: dmi('product_name', 'Virtual Machine') })
    expect(await facts.find(machine)).toEqual({
      'cloud.provider': 'azure',
      az_metadata: { compute: { name: 'vm1' } },
    })
  })

  it('is not asked on other machines, and nothing where nobody answers', async () => {
    const before = asked.length
    expect(await facts.find(recordedMachine({ files: dmi('product_name', 'VMware7,1') }))).toEqual({})
    expect(asked.length).toBe(before)
    const refused = defineCloudFacts(() => Promise.reject(new Error('no route')))
    expect(await refused.find(recordedMachine({ files: dmi('bios_vendor', 'Amazon EC2') }))).toEqual({})
  })
})
