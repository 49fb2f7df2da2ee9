import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments, stringify } from 'yaml'
import { isSetting } from '../../src/machine/settings/settings.ts'
import { render } from './template.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

describe('the Containerfile', () => {
  const lines = read('ext/docker/Containerfile')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  const instructions = lines.map((line) => ({ word: line.split(' ')[0]!, rest: line.slice(line.indexOf(' ') + 1) }))
  const last = instructions.slice(instructions.findLastIndex(({ word }) => word === 'FROM'))

  it('has instructions that there are', () => {
    const known = [
      'FROM',
      'WORKDIR',
      'COPY',
      'RUN',
      'ENV',
      'USER',
      'VOLUME',
      'EXPOSE',
      'STOPSIGNAL',
      'HEALTHCHECK',
      'ENTRYPOINT',
      'CMD',
    ]
    expect(instructions.filter(({ word }) => !known.includes(word))).toEqual([])
    for (const { rest } of instructions.filter(({ word }) => ['ENTRYPOINT', 'CMD', 'VOLUME'].includes(word)))
      expect(JSON.parse(rest)).toBeInstanceOf(Array)
  })

  it('copies files that there are, or that it has built', () => {
    const copied = instructions
      .filter(({ word, rest }) => word === 'COPY' && !rest.startsWith('--from'))
      .flatMap(({ rest }) => rest.split(' ').slice(0, -1))
    expect(copied.filter((path) => !existsSync(join(root, path)))).toEqual([])
    const built = last.flatMap(({ rest }) => /^--from=build (\S+)/.exec(rest)?.[1] ?? [])
    expect(built).toEqual(['/build/packages/plumb-linux-*'])
  })

  it('runs as a user of its own, and looks after its health', () => {
    expect(last.find(({ word }) => word === 'USER')?.rest).toBe('8140:8140')
    expect(last.find(({ word }) => word === 'HEALTHCHECK')?.rest).toContain(
      'CMD ["/usr/bin/plumb", "server", "status"]',
    )
  })
})

describe('the compose file', () => {
  const { services, volumes } = parse(read('ext/docker/compose.yaml'))

  it('has a root that is read only, no capabilities, and volumes for all that is written', () => {
    const { plumbline } = services
    expect(plumbline).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      user: '8140:8140',
      security_opt: ['no-new-privileges:true'],
    })
    expect(plumbline.volumes.map((each: string) => each.split(':').at(-1))).toEqual([
      '/etc/plumb',
      '/var/lib/plumb',
      '/srv/code.git',
    ])
    expect(Object.keys(volumes)).toEqual(['etc', 'var'])
    expect(existsSync(join(root, 'ext/docker', plumbline.build.context, plumbline.build.dockerfile))).toBe(true)
    const named = plumbline.command.filter((word: string) => word.startsWith('--')).map((word: string) => word.slice(2))
    expect(named.filter((name: string) => !isSetting(name))).toEqual([])
  })
})

describe('the chart', () => {
  const folder = 'ext/helm/plumbline'
  const names = readdirSync(join(root, folder, 'templates'))
  const files = Object.fromEntries(
    names.map((name) => [`plumbline/templates/${name}`, read(`${folder}/templates/${name}`)]),
  )
  const chart = parse(read(`${folder}/Chart.yaml`))

  function rendered(changed: Readonly<Record<string, unknown>> = {}) {
    const data = {
      Values: { ...parse(read(`${folder}/values.yaml`)), ...changed },
      Release: { Name: 'puppet', Namespace: 'code' },
      Chart: { Name: chart.name, AppVersion: chart.appVersion },
      Template: { BasePath: 'plumbline/templates' },
    }
    return names
      .filter((name) => name.endsWith('.yaml'))
      .flatMap((name) => {
        const text = render(files[`plumbline/templates/${name}`]!, { data, files, toYaml: (value) => stringify(value) })
        return parseAllDocuments(text).map((document) => {
          expect(document.errors, text).toEqual([])
          return document.toJS()
        })
      })
  }
  const ofKind = (all: readonly { kind: string }[], kind: string) =>
    all.find((each) => each.kind === kind) as unknown as Record<string, never> & { spec: never; data: never }

  it('is YAML of the kinds that it is meant to be, by its defaults', () => {
    const all = rendered()
    expect(all.map(({ kind }) => kind).sort()).toEqual(['ConfigMap', 'Service', 'StatefulSet'])
    const conf: string = ofKind(all, 'ConfigMap').data['puppet.conf']
    expect(conf).toBe(
      '[main]\ncertname = puppet-plumbline.code.svc.cluster.local\n[server]\ndns_alt_names = puppet\ncode_repo = /var/lib/plumb/code.git\n',
    )
    const { template, volumeClaimTemplates } = ofKind(all, 'StatefulSet').spec as {
      template: { spec: Record<string, never> }
      volumeClaimTemplates: { spec: unknown }[]
    }
    const pod = template.spec as unknown as {
      containers: Record<string, unknown>[]
      initContainers: unknown[]
      securityContext: object
      volumes: { name: string }[]
    }
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 8140 })
    expect(pod.containers[0]).toMatchObject({
      image: `plumbline:${JSON.parse(read('package.json')).version}`,
      securityContext: {
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
      },
    })
    expect(pod.initContainers).toHaveLength(1)
    expect(volumeClaimTemplates[0]!.spec).toEqual({
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '10Gi' } },
    })
    const mounted = (pod.containers[0]!['volumeMounts'] as { name: string }[]).map(({ name }) => name)
    expect(mounted.filter((name) => name !== 'state' && !pod.volumes.some((each) => each.name === name))).toEqual([])
  })

  it('takes all values', () => {
    const all = rendered({
      certname: 'puppet.example.com',
      settings: { store: 'sqlite', autosign: 'false' },
      authConf: 'authorization: {\n  version: 1\n}\n',
      codeSources: 'sources: {}\n',
      env: [{ name: 'A', value: 'b' }],
      imagePullSecrets: [{ name: 'registry' }],
      nodeSelector: { disk: 'ssd' },
      tolerations: [{ key: 'x', operator: 'Exists' }],
      podAnnotations: { a: 'b' },
      service: { type: 'LoadBalancer', port: 443, annotations: { a: 'b' } },
      persistence: { enabled: true, existingClaim: 'mine', storageClassName: '', accessModes: [], size: '' },
    })
    const { data } = ofKind(all, 'ConfigMap') as unknown as { data: Record<string, string> }
    expect(Object.keys(data)).toEqual(['puppet.conf', 'auth.conf', 'code-sources.yaml'])
    expect(data['auth.conf']).toBe('authorization: {\n  version: 1\n}\n')
    expect(data['puppet.conf']).toContain('certname = puppet.example.com\n')
    expect(data['puppet.conf']).toContain('store = sqlite\nautosign = false\n')
    const { spec } = ofKind(all, 'StatefulSet') as unknown as {
      spec: { template: { spec: Record<string, unknown> }; volumeClaimTemplates?: unknown }
    }
    expect(spec.volumeClaimTemplates).toBeUndefined()
    expect(spec.template.spec['initContainers']).toBeUndefined()
    expect(spec.template.spec['volumes']).toContainEqual({
      name: 'state',
      persistentVolumeClaim: { claimName: 'mine' },
    })
    expect(ofKind(all, 'Service').spec).toMatchObject({ type: 'LoadBalancer', ports: [{ port: 443 }] })
  })

  it('documents each value', () => {
    const documented = read(`${folder}/README.md`)
    expect(
      Object.keys(parse(read(`${folder}/values.yaml`))).filter((name) => !documented.includes(`\`${name}`)),
    ).toEqual([])
  })
})
