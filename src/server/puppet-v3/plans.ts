import type { FastifyInstance } from 'fastify'
import { mapInTurns } from '../../base/threads/in-turns.ts'
import { fullName } from '../../code/environments/module-tasks.ts'
import { below, findModule, type Module } from '../../code/environments/modules.ts'
import { json } from '../http/negotiation.ts'
import { bareRefusal } from '../http/refusal.ts'
import type { Services } from '../services/services.ts'
import { plainEnvironment } from './environment-parameter.ts'

const planFile = /^([a-z][a-z0-9_]*)\.(?:pp|yaml)$/

/**
 * `GET /puppet/v3/plans` and `/plans/MODULE/PLAN`: names of plans; like Puppet Server, without
 * plans in subfolders.
 */
export function planRoutes(server: FastifyInstance, { environments }: Services): void {
  server.get('/puppet/v3/plans', { exposeHeadRoute: false }, async (request, reply) => {
    const environment = await plainEnvironment(environments, request.call.query)
    const names = (await mapInTurns(environment.modules(), plansOf)).flat()
    const plans = names.map((plan) => ({ name: plan, environment: [{ name: environment.name, code_id: null }] }))
    return reply.type(json.contentType).send(JSON.stringify(plans))
  })
  server.get('/puppet/v3/plans/:module/:plan', { exposeHeadRoute: false }, async (request, reply) => {
    const [moduleName = '', name = ''] = request.call.path.split('/').slice(4)
    const { code } = await plainEnvironment(environments, request.call.query)
    const module = findModule(code, moduleName)
    if (!module) throw bareRefusal(404, `Could not find module '${moduleName}'`)
    const plan = fullName(moduleName, name)
    if (!plansOf(module).includes(plan)) throw bareRefusal(404, `Could not find plan '${name}'`)
    return reply.type(json.contentType).send(JSON.stringify({ metadata: {}, name: plan }))
  })
}

function plansOf({ name, directory: { tree, path } }: Module): readonly string[] {
  const folder = below(path, 'plans')
  const names = tree.list(folder).flatMap((each) => {
    const plan = planFile.exec(each)?.[1]
    return plan !== undefined && tree.entry(below(folder, each))?.kind === 'file' ? [fullName(name, plan)] : []
  })
  return [...new Set(names)]
}
