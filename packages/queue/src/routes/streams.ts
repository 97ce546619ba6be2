import { Problem, putOutcome, streamBody, streamList, streamView } from '@courier-fleet/api-types'
import { z } from 'zod'
import type { App, RouteDeps } from '../app-deps.ts'
import { mayRead } from '../auth.ts'
import { answers } from '../openapi.ts'
import { unknown } from '../unknown.ts'
import { idParams } from './parameters.ts'

const tags = ['directory']

export function streamRoutes(app: App, { directory }: RouteDeps): void {
  app.get(
    '/streams',
    {
      config: { least: 'trainer' },
      schema: {
        tags,
        summary: 'Streams by id; a trainer sees those of his own',
        response: answers({ 200: streamList }),
      },
    },
    async ({ principal }) => ({
      streams: (await directory.listStreams()).filter((stream) => mayRead(principal, stream)),
    }),
  )

  app.get(
    '/streams/:id',
    {
      config: { least: 'trainer' },
      schema: { tags, summary: 'A stream and its groups', params: idParams, response: answers({ 200: streamView }) },
    },
    async ({ principal, params }) => {
      const stream = (await directory.getStream(params.id)) ?? unknown('stream', params.id)
      if (mayRead(principal, stream)) return stream
      throw new Problem(403, 'not-your-stream', `the stream "${params.id}" is not yours`)
    },
  )

  app.put(
    '/streams/:id',
    {
      config: { least: 'admin' },
      schema: {
        tags,
        summary: 'Create or replace a stream and the list of its groups',
        params: idParams,
        body: streamBody,
        response: answers({ 200: putOutcome, 201: putOutcome }),
      },
    },
    async ({ params, body }, reply) => {
      const outcome = await directory.putStream({ id: params.id, ...body })
      reply.code(outcome === 'created' ? 201 : 200)
      return { id: params.id, outcome }
    },
  )

  app.delete(
    '/streams/:id',
    {
      config: { least: 'admin' },
      schema: {
        tags,
        summary: 'Remove a stream; its groups stay',
        params: idParams,
        response: answers({ 204: z.null() }),
      },
    },
    async ({ params }, reply) => {
      if (!(await directory.deleteStream(params.id))) unknown('stream', params.id)
      return reply.code(204).send(null)
    },
  )
}
