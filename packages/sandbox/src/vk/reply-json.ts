import type { ServerResponse } from 'node:http'

export function replyJson(response: ServerResponse, body: unknown): void {
  response.setHeader('content-type', 'application/json; charset=utf-8')
  response.end(JSON.stringify(body))
}
