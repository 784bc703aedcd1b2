// Requests for data files. They never reject: a failure is a value.

export interface Answer {
  /** The HTTP status; 0 without a response. */
  readonly status: number;
  /** The parsed body; undefined if it is not JSON. */
  readonly json: unknown;
}

export interface Network {
  /** Sends a GET request, or shares a pending one. */
  readonly get: (url: string) => Promise<Answer>;
  /** Returns the status of a HEAD request. */
  readonly head: (url: string) => Promise<number>;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function createNetwork(fetch: typeof globalThis.fetch): Network {
  const underWay = new Map<string, Promise<Answer>>();

  async function request(url: string): Promise<Answer> {
    try {
      const response = await fetch(url, { credentials: 'same-origin' });
      return { status: response.status, json: parsed(await response.text()) };
    } catch {
      return { status: 0, json: undefined };
    } finally {
      underWay.delete(url);
    }
  }

  return {
    get: (url) => {
      const shared = underWay.get(url) ?? request(url);
      underWay.set(url, shared);
      return shared;
    },
    head: async (url) => {
      try {
        return (await fetch(url, { method: 'HEAD', credentials: 'same-origin' })).status;
      } catch {
        return 0;
      }
    },
  };
}
