/** so long a one-time code is good */
export const codeLifeMs = 600_000
