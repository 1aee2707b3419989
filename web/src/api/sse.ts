// Reads server-sent events from text that arrives in pieces (EventSource cannot send a key).

export interface ServerEvent {
  id: string | undefined;
  name: string;
  data: string;
}

/** Takes the next piece of text and returns the events that are complete now. */
export class EventReader {
  private rest = "";
  private id: string | undefined;
  private name = "";
  private data: string[] = [];

  push(piece: string): ServerEvent[] {
    const events: ServerEvent[] = [];
    this.rest += piece;
    for (;;) {
      const end = this.rest.search(/\r\n|\n|\r(?!$)/);
      if (end < 0) return events;
      const line = this.rest.slice(0, end);
      this.rest = this.rest.slice(end + (this.rest.startsWith("\r\n", end) ? 2 : 1));
      const event = this.line(line);
      if (event) events.push(event);
    }
  }

  private line(line: string): ServerEvent | undefined {
    if (line === "") return this.finish();
    if (line.startsWith(":")) return undefined;
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") this.name = value;
    else if (field === "data") this.data.push(value);
    else if (field === "id" && !value.includes("\0")) this.id = value;
    return undefined;
  }

  private finish(): ServerEvent | undefined {
    const { data, name } = this;
    this.data = [];
    this.name = "";
    if (data.length === 0) return undefined;
    return { id: this.id, name: name || "message", data: data.join("\n") };
  }
}
