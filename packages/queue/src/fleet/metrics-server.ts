/** `/metrics` on an address of its own, so that the port of the API can be open to more than those who run the fleet. */
import { createServer } from 'node:http'
import { Problem } from '@courier-fleet/api-types'
import type { Log } from '@courier-fleet/process'
import { problemDocumentOf, problemType } from '../http/problem-json.ts'

export interface MetricsPage {
  readonly type: string
  readonly text: string
}

export interface MetricsServer {
  stop(): Promise<void>
}

interface MetricsServerDeps {
  readonly host: string
  readonly port: number
  readonly read: () => Promise<MetricsPage>
  readonly log: Log
}

export async function startMetricsServer({ host, port, read, log }: MetricsServerDeps): Promise<MetricsServer> {
  const server = createServer(async (request, response) => {
    try {
      if (request.method !== 'GET' || request.url !== '/metrics') {
        throw new Problem(404, 'no-such-route', 'there is only GET /metrics here')
      }
      const { type, text } = await read()
      response.writeHead(200, { 'content-type': type }).end(text)
    } catch (error) {
      const isOurs = error instanceof Problem
      if (!isOurs) log.error({ err: error }, 'metrics could not be read')
      const problem = isOurs ? error : new Problem(500, 'internal', 'the metrics could not be read; the log says why')
      response
        .writeHead(problem.status, { 'content-type': problemType })
        .end(JSON.stringify(problemDocumentOf(problem)))
    }
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return {
    stop() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
