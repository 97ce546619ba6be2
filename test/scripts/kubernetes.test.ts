/** What stands in ops/kubernetes: it is what the types of Kubernetes' API allow, and it says of the programs what is so. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { channelNames, channelOf, channels } from '@courier-fleet/channels'
import { expect } from 'chai'
import type { Deployment, StatefulSet } from 'kubernetes-types/apps/v1.js'
import type { HorizontalPodAutoscaler } from 'kubernetes-types/autoscaling/v2.js'
import type { ConfigMap, Container, EnvVar, Service } from 'kubernetes-types/core/v1.js'
import type { LabelSelector } from 'kubernetes-types/meta/v1.js'
import type { NetworkPolicy } from 'kubernetes-types/networking/v1.js'
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.js'
import { parse, parseAllDocuments } from 'yaml'
import { inboundProcesses } from '../../scripts/inbound.mjs'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const folder = 'ops/kubernetes/fleet'

/** Where the types of a kind are. */
const kinds = {
  Deployment: 'apps/v1',
  StatefulSet: 'apps/v1',
  HorizontalPodAutoscaler: 'autoscaling/v2',
  ConfigMap: 'core/v1',
  Service: 'core/v1',
  NetworkPolicy: 'networking/v1',
  PodDisruptionBudget: 'policy/v1',
} as const
type Workload = Deployment | StatefulSet
type Thing = Workload | HorizontalPodAutoscaler | ConfigMap | Service | NetworkPolicy | PodDisruptionBudget

const { resources } = parse(read(`${folder}/kustomization.yaml`)) as { resources: string[] }
/** A list is what it lists, as for kustomize. */
const things = resources
  .flatMap((file) => parseAllDocuments(read(`${folder}/${file}`), { merge: true }).map((document) => document.toJS()))
  .flatMap((thing) => (thing.kind === 'List' ? thing.items : [thing])) as Thing[]

const ofKind = <T extends Thing>(...wanted: (keyof typeof kinds)[]) =>
  things.filter(({ kind }) => wanted.includes(kind as keyof typeof kinds)) as T[]
const nameOf = (thing: Thing) => thing.metadata?.name as string
const workloads = ofKind<Workload>('Deployment', 'StatefulSet')
const podOf = (workload: Workload) => workload.spec?.template.spec
const containerOf = (workload: Workload) => podOf(workload)?.containers[0] as Container
const envOf = (workload: Workload) => containerOf(workload).env as EnvVar[]
const labelsOf = (workload: Workload) => workload.spec?.template.metadata?.labels ?? {}
const selected = (selector: LabelSelector['matchLabels'] = {}) =>
  workloads.filter((each) => Object.entries(selector).every(([label, value]) => labelsOf(each)[label] === value))
const workloadOf = (name: string) => workloads.find((each) => nameOf(each) === name) as Workload
/** as docker-compose.yml has it */
const compose = parse(read('docker-compose.yml'), { merge: true }) as {
  services: Record<
    string,
    { image: string; command?: string[]; environment?: Record<string, string>; volumes?: string[] }
  >
}

describe('ops/kubernetes', () => {
  it('has every process that docker-compose.yml has, called as there', () => {
    const ours = Object.entries(compose.services).filter(([name]) => !/^(redis|valkey|sandbox)\b/.test(name))
    expect(workloads.map(nameOf)).to.have.members(ours.map(([name]) => name))
    for (const [name, { image, command }] of ours) {
      expect(containerOf(workloadOf(name)).args, name).to.deep.equal(command)
      expect(containerOf(workloadOf(name)).image, name).to.equal(image)
    }
    expect(workloads.filter(({ kind }) => kind === 'StatefulSet').map(nameOf)).to.have.members(
      inboundProcesses.map(({ name }) => name),
    )
  })

  it('is what the types of the API allow, without a field that is none', () => {
    const dir = mkdtempSync(join(tmpdir(), 'courier-fleet-kubernetes-'))
    try {
      const types = join(root, 'node_modules/kubernetes-types')
      const lines = things.flatMap(({ apiVersion, kind, ...rest }, index) => {
        const module = kinds[kind as keyof typeof kinds]
        expect(apiVersion, kind).to.equal(module?.replace('core/', '').replace('networking/', 'networking.k8s.io/'))
        const thing = JSON.stringify({ apiVersion, kind, ...rest })
        return [
          `import type { ${kind} as K${index} } from '${types}/${module}'`,
          `export const t${index}: K${index} = ${thing}`,
        ]
      })
      writeFileSync(join(dir, 'things.ts'), lines.join('\n'))
      const compiler = join(root, 'node_modules/typescript/bin/tsc')
      const settings = '--noEmit --strict --skipLibCheck --module preserve --target esnext'
      const { status, stdout } = spawnSync(process.execPath, [compiler, ...settings.split(' '), 'things.ts'], {
        cwd: dir,
        encoding: 'utf8',
      })
      expect(stdout).to.equal('')
      expect(status).to.equal(0)
    } finally {
      rmSync(dir, { recursive: true, force: true })
    }
  })

  it('sets nothing that .env.example does not name, and no secret but by reference', () => {
    const known = new Set([...read('.env.example').matchAll(/^#([A-Z_]+)=/gm)].map((match) => match[1]))
    const [settings] = ofKind<ConfigMap>('ConfigMap')
    const plain = Object.keys(settings?.data ?? {})
    for (const workload of workloads) {
      for (const { name, value } of envOf(workload)) {
        expect([...known, 'NODE_OPTIONS']).to.include(name)
        if (value !== undefined) plain.push(name)
      }
    }
    const secret = new Set(
      [...known].filter((name) =>
        /TOKEN|SECRET|PASSWORD|API_KEY|_ID$|HASH|^(REDIS|SMS_SMPP|SMS_HTTP|SMS_INBOUND_SMPP|MAIL_SMTP)_URL$/.test(
          name ?? '',
        ),
      ),
    )
    expect([...secret]).to.include.members(['REDIS_URL', 'VK_TOKEN', 'FLEET_SECRET', 'BOT_API_KEY'])
    expect(plain.filter((name) => secret.has(name))).to.deep.equal([])
    expect(things.map(({ kind }) => kind)).to.not.include('Secret')
    for (const [name, value] of Object.entries(settings?.data ?? {}))
      expect(compose.services['courier-vk']?.environment?.[name] ?? '', name).to.satisfy(
        (there: string) => there === '' || there.endsWith(`:-${value}}`),
      )
  })

  it('gives each process the secrets that docker-compose.yml gives it, and no other', () => {
    for (const workload of workloads) {
      const given = envOf(workload).filter(({ valueFrom }) => valueFrom)
      const there = Object.keys(compose.services[nameOf(workload)]?.environment ?? {})
      for (const { name, valueFrom } of given) {
        expect(there, nameOf(workload)).to.include(name)
        const { key } = valueFrom?.secretKeyRef ?? {}
        const [role] = nameOf(workload).split('-')
        expect(key, name).to.equal(name === 'REDIS_URL' ? role : name)
      }
      const needsRedis = there.includes('REDIS_URL')
      expect(
        given.some(({ name }) => name === 'REDIS_URL'),
        nameOf(workload),
      ).to.equal(needsRedis)
    }
  })

  it('gives every courier what makes its channel real, and what is its own to listen on', () => {
    for (const { name, settings } of channels) {
      const workload = workloadOf(`courier-${name}`)
      const given = envOf(workload).map((each) => each.name)
      // an address is no secret: it stands in the settings
      for (const [first] of settings.real) expect(given, name).to.include(first)
      for (const each of given.filter((one) => channelNames.some((other) => one.startsWith(other.toUpperCase()))))
        expect(each).to.match(new RegExp(`^${name.toUpperCase()}_`))
    }
    for (const { name, keyName, channel } of inboundProcesses) {
      const given = envOf(workloadOf(name)).map((each) => each.name)
      expect(given).to.include.members([keyName, channelOf(channel).settings.real[0]?.[0] as string, 'FLEET_API_URL'])
      const mounts = containerOf(workloadOf(name)).volumeMounts?.map(({ mountPath }) => mountPath)
      expect(mounts).to.include(`/app/.data/${name}`)
    }
  })

  it('runs nothing as root, nothing with a root file system to write to, and knows what each may take', () => {
    for (const workload of workloads) {
      const { securityContext, resources: room, volumeMounts } = containerOf(workload)
      expect(podOf(workload)?.securityContext, nameOf(workload)).to.include({ runAsNonRoot: true, runAsUser: 1000 })
      expect(podOf(workload)).to.include({ automountServiceAccountToken: false, enableServiceLinks: false })
      expect(securityContext).to.deep.equal({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      expect(room?.requests).to.have.keys('cpu', 'memory')
      expect(room?.limits, 'a limit of the processor would make messages late').to.have.keys('memory')
      expect(volumeMounts?.map(({ mountPath }) => mountPath)).to.include('/tmp')
    }
  })

  it('probes what there is to be probed, and gives each the time that it takes to stop', () => {
    const onRedis = workloads.filter(
      (each) => !['queue', ...inboundProcesses.map(({ name }) => name)].includes(nameOf(each)),
    )
    expect(onRedis).to.have.length(channelNames.length + 2)
    for (const workload of onRedis) {
      const { args = [], readinessProbe, livenessProbe } = containerOf(workload)
      expect(readinessProbe?.exec?.command).to.deep.equal(['node', 'scripts/container-health.mjs', ...args])
      expect(livenessProbe, 'whoever is cut off is not better for being killed').to.equal(undefined)
    }
    const { startupProbe, readinessProbe, livenessProbe, ports } = containerOf(workloadOf('queue'))
    for (const probe of [startupProbe, readinessProbe, livenessProbe])
      expect(probe?.httpGet).to.deep.equal({ path: '/healthz', port: 'api' })
    const env = new Map(envOf(workloadOf('queue')).map(({ name, value }) => [name, value]))
    const portOf = (name: string) => String(ports?.find((port) => port.name === name)?.containerPort)
    expect(portOf('api')).to.equal(env.get('PORT'))
    expect(portOf('metrics')).to.equal(env.get('METRICS_PORT'))
    // a process ends by itself within 13 s
    for (const workload of workloads) expect(podOf(workload)?.terminationGracePeriodSeconds).to.be.at.least(14)
  })

  it('selects by its labels what is there, and by port what is open', () => {
    for (const workload of workloads) expect(selected(workload.spec?.selector.matchLabels)).to.deep.equal([workload])
    for (const { spec } of ofKind<PodDisruptionBudget>('PodDisruptionBudget'))
      expect(selected(spec?.selector?.matchLabels)).to.have.length(1)
    const open = (workload: Workload | undefined) => workload && containerOf(workload).ports?.map(({ name }) => name)
    for (const { spec } of ofKind<Service>('Service')) {
      const [workload, ...others] = selected(spec?.selector)
      expect(others).to.deep.equal([])
      for (const { targetPort } of spec?.ports ?? []) expect(open(workload)).to.include(targetPort)
    }
    const heard = ofKind<NetworkPolicy>('NetworkPolicy').flatMap(({ spec }) =>
      (spec?.ingress ?? []).map(({ ports = [] }) => ({ workload: selected(spec?.podSelector.matchLabels), ports })),
    )
    expect(heard.flatMap(({ workload }) => workload.map(nameOf))).to.have.members(
      workloads.filter((each) => containerOf(each).ports).map(nameOf),
    )
    for (const { workload, ports } of heard)
      expect(ports.map(({ port }) => port)).to.have.members(open(workload[0]) as string[])
  })

  it('opens for each gateway that calls back the port that .env.example proposes, to whoever may call', () => {
    const proposed = [...read('.env.example').matchAll(/^#(SMS_\w*HTTP_CALLBACK)_PORT=(\d+)$/gm)]
    expect(proposed.length).to.be.at.least(2)
    const courier = workloadOf('courier-sms')
    const opened = containerOf(courier).ports?.map(({ containerPort }) => String(containerPort))
    expect(opened).to.have.members(proposed.map(([, , port]) => port))
    for (const [, name] of proposed) expect(envOf(courier).map((each) => each.name)).to.include(`${name}_HOST`)
    const [service] = ofKind<Service>('Service').filter((each) => nameOf(each) === 'courier-sms')
    expect(service?.spec?.ports?.map(({ port }) => String(port))).to.have.members(opened ?? [])
  })

  it('has as many couriers as people wait for, and never none', () => {
    const scaled = ofKind<HorizontalPodAutoscaler>('HorizontalPodAutoscaler')
    expect(scaled.map(nameOf)).to.have.members(['queue', ...channelNames.map((name) => `courier-${name}`)])
    for (const thing of scaled) {
      expect(thing.spec?.scaleTargetRef).to.include({ kind: 'Deployment', name: nameOf(thing) })
      // one that says how many there are would undo at each apply what the autoscaler has decided
      expect((workloadOf(nameOf(thing)) as Deployment).spec?.replicas).to.equal(undefined)
      expect(thing.spec?.minReplicas).to.be.at.least(2)
      const [metric] = thing.spec?.metrics ?? []
      if (nameOf(thing) === 'queue') continue
      expect(metric?.external?.metric).to.deep.equal({
        name: adapter.seriesQuery,
        selector: { matchLabels: { channel: nameOf(thing).replace('courier-', '') } },
      })
    }
  })

  const [adapter] = (
    parse(read('ops/kubernetes/prometheus-adapter.yaml')) as {
      externalRules: [{ seriesQuery: string; metricsQuery: string }]
    }
  ).externalRules

  it('leaves out, as the example shows it, what a channel has', () => {
    const { patches, resources: bases } = parse(read('ops/kubernetes/example/kustomization.yaml')) as {
      patches: { target: { labelSelector?: string; kind?: string; name?: string }; patch: string }[]
      resources: string[]
    }
    expect(bases).to.deep.equal(['../fleet'])
    for (const { target, patch } of patches) {
      const without = /^channel in \((.*)\)$/.exec(target.labelSelector ?? '')?.[1]?.split(', ') ?? []
      for (const channel of without) expect(channelNames).to.include(channel)
      if (target.kind)
        expect(things.map((thing) => `${thing.kind} ${nameOf(thing)}`)).to.include(`${target.kind} ${target.name}`)
      const added = (parse(patch) as { path: string }[] | { $patch: string }) ?? []
      if (Array.isArray(added))
        for (const { path } of added) expect(read('.env.example')).to.contain(`\n#${path.replace('/data/', '')}=`)
    }
    for (const thing of things) {
      const ofChannel = channelNames.find((name) => nameOf(thing) === `courier-${name}`)
      if (ofChannel) expect(thing.metadata?.labels, nameOf(thing)).to.include({ channel: ofChannel })
    }
  })
})
