/** Sample code for creating a batch, for users without one. */
export const sampleOf = (baseUrl: string): string => `# pip install openai
import json, os
from openai import OpenAI

client = OpenAI(base_url="${new URL("/v1", baseUrl)}", api_key=os.environ["GW_KEY"])

with open("requests.jsonl", "w") as file:
    for number, question in enumerate(["What is a hold?", "What is a ledger?"]):
        body = {"model": "auto", "messages": [{"role": "user", "content": question}]}
        line = {"custom_id": str(number), "method": "POST", "url": "/v1/chat/completions", "body": body}
        file.write(json.dumps(line) + "\\n")

file = client.files.create(purpose="batch", file=open("requests.jsonl", "rb"))
batch = client.batches.create(input_file_id=file.id, endpoint="/v1/chat/completions", completion_window="24h")
print(batch.id)
`;
